import Glibc

/// The result of sending media from the page cache to a socket.
package enum MediaSending: Sendable {
    /// Some bytes were sent, and there may be more.
    case progressed
    /// The socket accepts nothing more now.
    case socketIsFull
    /// The next bytes are not in the page cache, or not in the file.
    case mustBeRead
    /// sendfile(2) or sendmsg(2) failed.
    case failed(errno: Int32)
}
