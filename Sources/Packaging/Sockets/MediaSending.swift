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

extension MediaSending {
    /// Sends by a call of the system, which is repeated if a signal interrupts it.
    ///
    /// - Parameters:
    ///   - byteCount: is set to the number of bytes sent.
    ///   - call: returns the number of bytes sent, or -1 with `errno` set.
    static func sending(_ byteCount: inout Int, _ call: () -> Int) -> MediaSending {
        while true {
            let count = call()
            if count > 0 {
                byteCount = count
                return .progressed
            }
            switch count < 0 ? errno : EIO {
            case EINTR: continue
            case EAGAIN: return .socketIsFull
            // A mapped file has become shorter: reading it says so.
            case EFAULT: return .mustBeRead
            case let code: return .failed(errno: code)
            }
        }
    }
}
