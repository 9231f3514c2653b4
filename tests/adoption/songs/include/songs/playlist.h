/*!
 * \file songs/playlist.h
 * \brief Songs, and lists of them.
 */
#ifndef SONGS_PLAYLIST_H_
#define SONGS_PLAYLIST_H_

#include <tvm/ffi/container/array.h>
#include <tvm/ffi/memory.h>
#include <tvm/ffi/object.h>
#include <tvm/ffi/string.h>

#include <utility>

namespace songs {

namespace ffi = tvm::ffi;

/*! \brief A song. */
class SongNode : public ffi::Object {
 public:
  /*! \brief What it is called. */
  ffi::String title;
  /*! \brief How many seconds it takes. */
  double seconds;

  SongNode(ffi::String title, double seconds) : title(std::move(title)), seconds(seconds) {}

  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("songs.Song", SongNode, ffi::Object);
};

/*! \brief Reference to a song. */
class Song : public ffi::ObjectRef {
 public:
  Song(ffi::String title, double seconds)
      : ffi::ObjectRef(ffi::make_object<SongNode>(std::move(title), seconds)) {}

  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(Song, ffi::ObjectRef, SongNode);
};

/*! \brief Songs in an order. */
class PlaylistNode : public ffi::Object {
 public:
  /*! \brief The songs, the first one first. */
  ffi::Array<Song> songs;
  /*! \brief Whether it begins anew at its end. */
  bool repeats = false;

  PlaylistNode() = default;

  /*! \brief How many seconds one turn takes. */
  double Seconds() const;

  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("songs.Playlist", PlaylistNode, ffi::Object);
};

/*! \brief Reference to a playlist. */
class Playlist : public ffi::ObjectRef {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(Playlist, ffi::ObjectRef, PlaylistNode);
};

}  // namespace songs

#endif  // SONGS_PLAYLIST_H_
