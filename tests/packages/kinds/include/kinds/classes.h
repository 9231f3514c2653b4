/*! \brief The package's classes, wherever their header is. */
#include <kinds/ir/classes.h>
