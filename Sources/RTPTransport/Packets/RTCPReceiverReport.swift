import NIOCore

/// A receiver report (RFC 3550 §6.4.2).
package struct RTCPReceiverReport: Hashable, Sendable {
    /// The SSRC of the reporter.
    package var source: UInt32
    package var blocks: [RTCPReportBlock]

    package init(source: UInt32, blocks: [RTCPReportBlock]) {
        self.source = source
        self.blocks = blocks
    }

    init(parsing content: inout ByteBuffer, blockCount: Int) throws(RTPParsingError) {
        guard let source = content.readInteger(as: UInt32.self) else {
            throw RTPParsingError(.truncated, "receiver report")
        }
        self.source = source
        blocks = []
        for _ in 0..<blockCount { blocks.append(try RTCPReportBlock(parsing: &content)) }
    }

    func write(into buffer: inout ByteBuffer) {
        let listed = blocks.prefix(31)
        writeRTCPHeader(count: listed.count, packetType: 201, words: 1 + 6 * listed.count, into: &buffer)
        buffer.writeInteger(source)
        for block in listed { block.write(into: &buffer) }
    }
}
