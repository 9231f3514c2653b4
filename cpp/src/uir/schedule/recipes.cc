// All recipes, in order.
#include <uir/schedule/replay.h>

#include "./classify.h"

namespace uir::schedule {

ffi::Array<transform::Pass> recipes(ffi::String isa) {
  return {ClassifyBlocks(),         FuseElementwise(),        ScheduleByLists(isa),
          ScheduleWindow(isa),      ScheduleContraction(isa), ScheduleRow(isa),
          ScheduleElementwise(isa), ScheduleFallback(isa)};
}

}  // namespace uir::schedule
