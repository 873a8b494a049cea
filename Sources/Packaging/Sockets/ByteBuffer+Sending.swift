import CAntenaSystem
package import NIOCore

extension ByteBuffer {
    /// Sends bytes to a non-blocking socket with nothing queued for it elsewhere, and moves the reader index past what
    /// was sent.
    ///
    /// - Parameter hasMore: Whether more is sent right after this, so that the kernel may wait for it.
    package mutating func send(to socket: Int32, hasMore: Bool) -> MediaSending {
        guard readableBytes > 0 else { return .progressed }
        var sentByteCount = 0
        let sending = withUnsafeReadableBytes { bytes in
            MediaSending.sending(&sentByteCount) {
                antena_send(socket, bytes.baseAddress, bytes.count, hasMore ? 1 : 0)
            }
        }
        moveReaderIndex(forwardBy: sentByteCount)
        return sending
    }
}
