"""How an object looks from C++, for people who look into the machinery."""

from tschema import function, ty


@function
def object_address(obj: ty.Object) -> ty.int64_t:
    """
    Return the address at which C++ sees an object.

    Every language sees the same object, so all of them report the same address.

    Parameters
    ----------
    obj
        The object.

    Returns
    -------
    address
        Address of the object's header, in bytes.
    """
    ...


@function
def describe(value: ty.Any) -> ty.String:
    """
    Return a short text for messages: deep parts and long lists are cut off.

    Parameters
    ----------
    value
        A node or any other value.

    Returns
    -------
    text
        At most a few hundred characters, on one line.
    """
    ...
