/*! \brief The package's functors, wherever their header is. */
#include <kinds/ir/step_functor.h>
