import CAntenaSystem
import Glibc

/// What came of sending media from the page cache to a socket.
package enum MediaSending: Sendable {
    /// Some bytes are on their way, and there may be more.
    case progressed
    /// The socket takes nothing more now.
    case socketIsFull
    /// What comes next is not in the page cache, not in the file, or in runs so short that copying them is cheaper.
    case mustBeRead
    case failed(errno: Int32)
}

extension StoredMediaReader {
    /// Shorter runs cost more in system calls than copying them does.
    private static let minimumRunByteCount = 32 << 10
    /// Sent by one call; looked up in the page cache right before.
    private static let maximumSendByteCount = 512 << 10

    /// Sends the next run of the file without copying it (sendfile(2)), and moves on.
    ///
    /// The event loop that calls this never waits for the disk: what is sent has just been seen in the page cache.
    ///
    /// - Parameter socket: a non-blocking one, with nothing queued for it elsewhere.
    package mutating func sendRun(to socket: Int32) -> MediaSending {
        guard case .file(let range)? = next(Self.maximumSendByteCount), range.byteCount >= Self.minimumRunByteCount,
            media.file.isResident(range)
        else { return .mustBeRead }
        while true {
            let count = antena_sendfile(socket, media.file.descriptor, off_t(range.offset), range.byteCount)
            if count > 0 {
                advance(by: count)
                return .progressed
            }
            switch count < 0 ? errno : EIO {
            case EINTR: continue
            case EAGAIN: return .socketIsFull
            case let code: return .failed(errno: code)
            }
        }
    }
}
