import Glibc

/// A call that a socket has answered with an error.
package struct SocketError: Error {
    /// The system's number of the error; EAGAIN if the socket accepts nothing now.
    package var errno: Int32
}
