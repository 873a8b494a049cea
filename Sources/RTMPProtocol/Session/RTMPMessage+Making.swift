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

    /// The answer to a ping (§7.1.7); `nil` for another event of user control.
    ///
    /// - Parameter payload: the payload of a message of user control.
    static func pong(to payload: ByteBuffer) -> RTMPMessage? {
        var payload = payload
        guard payload.readInteger(as: UInt16.self) == 6, let time = payload.readInteger(as: UInt32.self) else {
            return nil
        }
        var answer = ByteBuffer(integer: 7, as: UInt16.self)
        answer.writeInteger(time)
        return RTMPMessage(.userControl, payload: answer)
    }
}
