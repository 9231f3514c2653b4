/*!
 * \file geometry.cc
 * \brief Registration of the shapes, and functions on them.
 */
#include <atlas/geometry.h>
#include <tvm/ffi/function.h>

namespace atlas {

/*! \brief Return the smallest box around points. */
Box BoundingBox(const ffi::Array<Point>& points) {
  if (points.empty()) TVM_FFI_THROW(ValueError) << "no points to put a box around";
  double x[2] = {points[0]->x, points[0]->x}, y[2] = {points[0]->y, points[0]->y};
  for (const Point& point : points) {
    x[0] = std::fmin(x[0], point->x), x[1] = std::fmax(x[1], point->x);
    y[0] = std::fmin(y[0], point->y), y[1] = std::fmax(y[1], point->y);
  }
  return Box("bounds", Point(x[0], y[0]), Point(x[1], y[1]));
}

int64_t SceneNode::Count() const {
  int64_t count = 0;
  for (const Shape& shape : shapes) {
    const auto* group = shape.as<GroupNode>();
    count += group != nullptr ? group->Count() : 1;
  }
  return count;
}

TVM_FFI_STATIC_INIT_BLOCK() {
  PointNode::RegisterReflection();
  ShapeNode::RegisterReflection();
  SegmentNode::RegisterReflection();
  CircleNode::RegisterReflection();
  BoxNode::RegisterReflection();
  PolylineNode::RegisterReflection();
  TextNode::RegisterReflection();
  GroupNode::RegisterReflection();
  MarkerNode::RegisterReflection();
  SceneNode::RegisterReflection();
  tvm::ffi::reflection::GlobalDef().def("atlas.bounding_box", BoundingBox);
}

}  // namespace atlas
