import LibAV

/// The way of one stream's packets to the output, copied or re-encoded. Belongs to one thread.
protocol BroadcastRoute: AnyObject {
    /// Passes on a packet.
    ///
    /// - Parameters:
    ///   - packet: A packet of this stream; `nil` when the source has ended, after which it may start again.
    ///   - shift: The microseconds to add to the stream's times to get times from the start of the capture.
    func accept(_ packet: Packet?, shift: Int64) throws(LibAVError)
    /// Passes on the frames that are still held.
    func finish() throws(LibAVError)
}
