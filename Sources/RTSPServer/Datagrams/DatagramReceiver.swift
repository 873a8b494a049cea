import NIOCore

/// Receiver of a track's datagrams.
protocol DatagramReceiver: AnyObject {
    func receiveDatagram(_ data: ByteBuffer, from address: SocketAddress, isRTCP: Bool)
    func datagramsReceived()
    /// Whether datagrams must be handled as they arrive.
    var wantsPromptDatagrams: Bool { get }
}
