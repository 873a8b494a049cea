import NIOCore

extension RTMPMessage {
    /// A command (§7.1.1).
    ///
    /// - Parameters:
    ///   - name: the name of the command.
    ///   - transaction: the number by which its answer is known; 0 if there is none.
    ///   - values: the command object and further arguments.
    ///   - stream: the message stream.
    static func command(
        _ name: String, _ transaction: Double, _ values: [AMF0Value], in stream: UInt32
    ) -> RTMPMessage {
        var payload = ByteBuffer()
        for value in [.string(name), .number(transaction)] + values { payload.write(value) }
        return RTMPMessage(.command, stream: stream, payload: payload)
    }
}
