import MediaCore
package import NIOCore

extension ProducerReferenceTime {
    /// Writes the box.
    package func write(to buffer: inout ByteBuffer) {
        buffer.writeFullBox("prft", version: 1) { buffer in
            buffer.writeInteger(trackID)
            buffer.writeInteger(time.rawValue)
            buffer.writeInteger(UInt64(clamping: decodeTime))
        }
    }
}
