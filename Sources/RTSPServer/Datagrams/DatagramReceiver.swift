import NIOCore

/// Receiver of a track's datagrams.
protocol DatagramReceiver: AnyObject {
    func receiveDatagram(_ data: ByteBuffer, from address: SocketAddress, isRTCP: Bool)
    func datagramsReceived()
    /// The time from which datagrams have to be handled as they arrive; `nil` while that does not matter to anybody.
    ///
    /// - Parameter now: the time on the loop's clock.
    func promptTime(now: NIODeadline) -> NIODeadline?
}
