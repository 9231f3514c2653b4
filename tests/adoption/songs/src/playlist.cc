#include <songs/playlist.h>
#include <tvm/ffi/reflection/registry.h>

namespace songs {

double PlaylistNode::Seconds() const {
  double sum = 0;
  for (const Song& song : songs) sum += song->seconds;
  return sum;
}

TVM_FFI_STATIC_INIT_BLOCK() {
  namespace refl = tvm::ffi::reflection;
  refl::ObjectDef<SongNode>()
      .def(refl::init<ffi::String, double>())
      .def_ro("title", &SongNode::title, "What it is called.")
      .def_ro("seconds", &SongNode::seconds, "How many seconds it takes.");
  refl::ObjectDef<PlaylistNode>()
      .def(refl::init<>())
      .def_rw("songs", &PlaylistNode::songs)
      .def_rw("repeats", &PlaylistNode::repeats, refl::default_value(false))
      .def("length", &PlaylistNode::Seconds);
}

}  // namespace songs
