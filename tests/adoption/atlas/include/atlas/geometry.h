/*!
 * \file atlas/geometry.h
 * \brief Shapes in the plane.
 */
#ifndef ATLAS_GEOMETRY_H_
#define ATLAS_GEOMETRY_H_

#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/memory.h>
#include <tvm/ffi/object.h>
#include <tvm/ffi/optional.h>
#include <tvm/ffi/reflection/registry.h>
#include <tvm/ffi/string.h>

#include <cmath>
#include <utility>

namespace atlas {

namespace ffi = tvm::ffi;

/*! \brief A point in the plane. */
class PointNode : public ffi::Object {
 public:
  /*! \brief Abscissa. */
  double x;
  /*! \brief Ordinate. */
  double y;

  PointNode(double x, double y) : x(x), y(y) {}

  /*! \brief Distance to the origin. */
  double Norm() const { return std::hypot(x, y); }

  static void RegisterReflection() {
    namespace refl = tvm::ffi::reflection;
    refl::ObjectDef<PointNode>()
        .def(refl::init<double, double>())
        .def_ro("x", &PointNode::x, "Abscissa.")
        .def_ro("y", &PointNode::y, "Ordinate.")
        .def("norm", &PointNode::Norm, "Distance to the origin.");
  }

  static constexpr TVMFFISEqHashKind _type_s_eq_hash_kind = kTVMFFISEqHashKindTreeNode;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("atlas.Point", PointNode, ffi::Object);
};

/*!
 * \brief Managed reference to PointNode.
 * \sa PointNode
 */
class Point : public ffi::ObjectRef {
 public:
  Point(double x, double y) : ObjectRef(ffi::UnsafeInit{}) {
    data_ = ffi::make_object<PointNode>(x, y);
  }

  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(Point, ffi::ObjectRef, PointNode);
};

/*!
 * \brief Anything that can be drawn.
 */
class ShapeNode : public ffi::Object {
 public:
  /*! \brief What it is called in a legend. */
  ffi::String label;

  static void RegisterReflection() {
    namespace refl = tvm::ffi::reflection;
    refl::ObjectDef<ShapeNode>().def_ro("label", &ShapeNode::label,
                                        "What it is called in a legend.");
  }

  static constexpr TVMFFISEqHashKind _type_s_eq_hash_kind = kTVMFFISEqHashKindTreeNode;
  static constexpr uint32_t _type_child_slots = 8;
  TVM_FFI_DECLARE_OBJECT_INFO("atlas.Shape", ShapeNode, ffi::Object);

 protected:
  explicit ShapeNode(ffi::String label) : label(std::move(label)) {}
};

/*! \brief Managed reference to ShapeNode. */
class Shape : public ffi::ObjectRef {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(Shape, ffi::ObjectRef, ShapeNode);
};

/*! \brief A straight line between two points. */
class SegmentNode : public ShapeNode {
 public:
  /*! \brief Where it begins. */
  Point start;
  /*! \brief Where it ends. */
  Point end;

  SegmentNode(ffi::String label, Point start, Point end)
      : ShapeNode(std::move(label)), start(std::move(start)), end(std::move(end)) {}

  /*! \brief Length of the line. */
  double Length() const { return std::hypot(end->x - start->x, end->y - start->y); }

  static void RegisterReflection() {
    namespace refl = tvm::ffi::reflection;
    refl::ObjectDef<SegmentNode>()
        .def(refl::init<ffi::String, Point, Point>())
        .def_ro("start", &SegmentNode::start, "Where it begins.")
        .def_ro("end", &SegmentNode::end, "Where it ends.")
        .def("length", &SegmentNode::Length, "Length of the line.");
  }

  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("atlas.Segment", SegmentNode, ShapeNode);
};

/*! \brief Managed reference to SegmentNode. */
class Segment : public Shape {
 public:
  Segment(ffi::String label, Point start, Point end) : Shape(ffi::UnsafeInit{}) {
    data_ = ffi::make_object<SegmentNode>(std::move(label), std::move(start), std::move(end));
  }
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(Segment, Shape, SegmentNode);
};

/*! \brief A circle. */
class CircleNode : public ShapeNode {
 public:
  /*! \brief Where its middle is. */
  Point center;
  /*! \brief Its radius, not negative. */
  double radius;

  CircleNode(ffi::String label, Point center, double radius)
      : ShapeNode(std::move(label)), center(std::move(center)), radius(radius) {
    if (!(radius >= 0)) TVM_FFI_THROW(ValueError) << "a radius is not negative: " << radius;
  }

  /*! \brief Area inside. */
  double Area() const { return 3.141592653589793 * radius * radius; }

  static void RegisterReflection() {
    namespace refl = tvm::ffi::reflection;
    refl::ObjectDef<CircleNode>()
        .def(refl::init<ffi::String, Point, double>())
        .def_ro("center", &CircleNode::center, "Where its middle is.")
        .def_ro("radius", &CircleNode::radius, "Its radius, not negative.")
        .def("area", &CircleNode::Area, "Area inside.");
  }

  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("atlas.Circle", CircleNode, ShapeNode);
};

/*! \brief Managed reference to CircleNode. */
class Circle : public Shape {
 public:
  Circle(ffi::String label, Point center, double radius) : Shape(ffi::UnsafeInit{}) {
    data_ = ffi::make_object<CircleNode>(std::move(label), std::move(center), radius);
  }
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(Circle, Shape, CircleNode);
};

/*! \brief A rectangle whose sides are parallel to the axes. */
class BoxNode : public ShapeNode {
 public:
  /*! \brief The corner with the least coordinates. */
  Point low;
  /*! \brief The corner with the greatest coordinates. */
  Point high;

  BoxNode(ffi::String label, Point low, Point high)
      : ShapeNode(std::move(label)), low(std::move(low)), high(std::move(high)) {}

  /*! \brief Whether a point is inside. */
  bool Contains(const Point& point) const {
    return low->x <= point->x && point->x <= high->x && low->y <= point->y && point->y <= high->y;
  }

  /*! \brief Area inside. */
  double Area() const { return (high->x - low->x) * (high->y - low->y); }

  static void RegisterReflection() {
    namespace refl = tvm::ffi::reflection;
    refl::ObjectDef<BoxNode>()
        .def(refl::init<ffi::String, Point, Point>())
        .def_ro("low", &BoxNode::low, "The corner with the least coordinates.")
        .def_ro("high", &BoxNode::high, "The corner with the greatest coordinates.")
        .def("contains", &BoxNode::Contains, "Whether a point is inside.")
        .def("area", &BoxNode::Area, "Area inside.");
  }

  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("atlas.Box", BoxNode, ShapeNode);
};

/*! \brief Managed reference to BoxNode. */
class Box : public Shape {
 public:
  Box(ffi::String label, Point low, Point high) : Shape(ffi::UnsafeInit{}) {
    data_ = ffi::make_object<BoxNode>(std::move(label), std::move(low), std::move(high));
  }
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(Box, Shape, BoxNode);
};

/*!
 * \brief A line through points.
 *
 * It is closed if it ends where it begins.
 */
class PolylineNode : public ShapeNode {
 public:
  /*! \brief Its corners, in order. */
  ffi::Array<Point> points;
  /*! \brief Width of the pen. */
  double width;

  PolylineNode(ffi::String label, ffi::Array<Point> points, double width)
      : ShapeNode(std::move(label)), points(std::move(points)), width(width) {}

  /*! \brief Length of the line. */
  double Length() const {
    double length = 0;
    for (size_t i = 1; i < points.size(); ++i) {
      length += std::hypot(points[i]->x - points[i - 1]->x, points[i]->y - points[i - 1]->y);
    }
    return length;
  }

  static void RegisterReflection() {
    namespace refl = tvm::ffi::reflection;
    refl::ObjectDef<PolylineNode>()
        .def(refl::init<ffi::String, ffi::Array<Point>, double>())
        .def_ro("points", &PolylineNode::points, "Its corners, in order.")
        .def_ro("width", &PolylineNode::width, "Width of the pen.")
        .def("length", &PolylineNode::Length, "Length of the line.");
  }

  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("atlas.Polyline", PolylineNode, ShapeNode);
};

/*! \brief Managed reference to PolylineNode. */
class Polyline : public Shape {
 public:
  Polyline(ffi::String label, ffi::Array<Point> points, double width) : Shape(ffi::UnsafeInit{}) {
    data_ = ffi::make_object<PolylineNode>(std::move(label), std::move(points), width);
  }
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(Polyline, Shape, PolylineNode);
};

/*! \brief Some text at a point. */
class TextNode : public ShapeNode {
 public:
  /*! \brief Where it begins. */
  Point anchor;
  /*! \brief What it says. */
  ffi::String text;
  /*! \brief Height of a capital; that of the page if there is none. */
  ffi::Optional<double> height;

  TextNode(ffi::String label, Point anchor, ffi::String text, ffi::Optional<double> height)
      : ShapeNode(std::move(label)),
        anchor(std::move(anchor)),
        text(std::move(text)),
        height(std::move(height)) {}

  static void RegisterReflection() {
    namespace refl = tvm::ffi::reflection;
    refl::ObjectDef<TextNode>()
        .def(refl::init<ffi::String, Point, ffi::String, ffi::Optional<double>>())
        .def_ro("anchor", &TextNode::anchor, "Where it begins.")
        .def_ro("text", &TextNode::text, "What it says.")
        .def_ro("height", &TextNode::height,
                "Height of a capital; that of the page if there is none.");
  }

  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("atlas.Text", TextNode, ShapeNode);
};

/*! \brief Managed reference to TextNode. */
class Text : public Shape {
 public:
  Text(ffi::String label, Point anchor, ffi::String text, ffi::Optional<double> height)
      : Shape(ffi::UnsafeInit{}) {
    data_ = ffi::make_object<TextNode>(std::move(label), std::move(anchor), std::move(text),
                                       std::move(height));
  }
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(Text, Shape, TextNode);
};

/*! \brief Shapes that are drawn as one. */
class GroupNode : public ShapeNode {
 public:
  /*! \brief Its members, the lowest first. */
  ffi::Array<Shape> members;
  /*! \brief What the author noted. */
  ffi::Map<ffi::String, ffi::Any> notes;

  GroupNode(ffi::String label, ffi::Array<Shape> members, ffi::Map<ffi::String, ffi::Any> notes)
      : ShapeNode(std::move(label)), members(std::move(members)), notes(std::move(notes)) {}

  /*! \brief Number of members, those of groups in it included. */
  int64_t Count() const {
    int64_t count = 0;
    for (const Shape& member : members) {
      const auto* group = member.as<GroupNode>();
      count += group != nullptr ? group->Count() : 1;
    }
    return count;
  }

  static void RegisterReflection() {
    namespace refl = tvm::ffi::reflection;
    refl::ObjectDef<GroupNode>()
        .def(refl::init<ffi::String, ffi::Array<Shape>, ffi::Map<ffi::String, ffi::Any>>())
        .def_ro("members", &GroupNode::members, "Its members, the lowest first.")
        .def_ro("notes", &GroupNode::notes, "What the author noted.")
        .def("count", &GroupNode::Count, "Number of members, those of groups in it included.");
  }

  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("atlas.Group", GroupNode, ShapeNode);
};

/*! \brief Managed reference to GroupNode. */
class Group : public Shape {
 public:
  Group(ffi::String label, ffi::Array<Shape> members, ffi::Map<ffi::String, ffi::Any> notes)
      : Shape(ffi::UnsafeInit{}) {
    data_ = ffi::make_object<GroupNode>(std::move(label), std::move(members), std::move(notes));
  }
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(Group, Shape, GroupNode);
};

/*! \brief A place that is marked. */
class MarkerNode : public ShapeNode {
 public:
  /*! \brief Where it is. */
  Point at;
  /*! \brief Number of corners of the sign. */
  int32_t corners;
  /*! \brief Whether the sign is filled. */
  bool filled;

  MarkerNode(ffi::String label, Point at, int32_t corners, bool filled)
      : ShapeNode(std::move(label)), at(std::move(at)), corners(corners), filled(filled) {}

  static void RegisterReflection() {
    namespace refl = tvm::ffi::reflection;
    refl::ObjectDef<MarkerNode>()
        .def(refl::init<ffi::String, Point, int32_t, bool>())
        .def_ro("at", &MarkerNode::at, "Where it is.")
        .def_ro("corners", &MarkerNode::corners, "Number of corners of the sign.")
        .def_ro("filled", &MarkerNode::filled, "Whether the sign is filled.");
  }

  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("atlas.Marker", MarkerNode, ShapeNode);
};

/*! \brief Managed reference to MarkerNode. */
class Marker : public Shape {
 public:
  Marker(ffi::String label, Point at, int32_t corners, bool filled) : Shape(ffi::UnsafeInit{}) {
    data_ = ffi::make_object<MarkerNode>(std::move(label), std::move(at), corners, filled);
  }
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(Marker, Shape, MarkerNode);
};

/*! \brief Everything that is drawn. */
class SceneNode : public ffi::Object {
 public:
  /*! \brief What is drawn, the lowest first. */
  ffi::Array<Shape> shapes;
  /*! \brief What is left white around it. */
  double margin;

  SceneNode(ffi::Array<Shape> shapes, double margin) : shapes(std::move(shapes)), margin(margin) {}

  /*! \brief Number of shapes, those of groups included. */
  int64_t Count() const;

  static void RegisterReflection() {
    namespace refl = tvm::ffi::reflection;
    refl::ObjectDef<SceneNode>()
        .def(refl::init<ffi::Array<Shape>, double>())
        .def_ro("shapes", &SceneNode::shapes, "What is drawn, the lowest first.")
        .def_ro("margin", &SceneNode::margin, "What is left white around it.")
        .def("count", &SceneNode::Count, "Number of shapes, those of groups included.");
  }

  static constexpr TVMFFISEqHashKind _type_s_eq_hash_kind = kTVMFFISEqHashKindTreeNode;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("atlas.Scene", SceneNode, ffi::Object);
};

/*! \brief Managed reference to SceneNode. */
class Scene : public ffi::ObjectRef {
 public:
  Scene(ffi::Array<Shape> shapes, double margin) : ffi::ObjectRef(ffi::UnsafeInit{}) {
    data_ = ffi::make_object<SceneNode>(std::move(shapes), margin);
  }
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(Scene, ffi::ObjectRef, SceneNode);
};

}  // namespace atlas

#endif  // ATLAS_GEOMETRY_H_
