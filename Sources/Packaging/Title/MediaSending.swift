import Glibc

/// The result of sending media from the page cache to a socket.
package enum MediaSending: Sendable {
    /// Some bytes were sent, and there may be more.
    case progressed
    /// The socket accepts nothing more now.
    case socketIsFull
    /// The next bytes are not in the page cache, not in the file, or so few that copying them is cheaper.
    case mustBeRead
    /// sendfile(2) or splice(2) failed.
    case failed(errno: Int32)
}
