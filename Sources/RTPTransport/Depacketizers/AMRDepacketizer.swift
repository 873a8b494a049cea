import MediaCore
import NIOCore

/// Depacketizes narrowband AMR with one channel (RFC 4867). Frames are put out in storage format (§5.3), which begins
/// with their header octet.
package struct AMRDepacketizer: Depacketizer {
    /// The two packings of AMR frames.
    package enum Layout: Sendable, Hashable {
        /// `octet-align=1`: each frame begins at a byte boundary (RFC 4867 §4.4).
        case octetAligned
        /// The default: header fields and frames are packed bit by bit (RFC 4867 §4.3).
        case bandwidthEfficient
    }

    private let layout: Layout
    private let limits: DepacketizerLimits

    /// Speech bits of frame types 0 to 7, then comfort noise (3GPP TS 26.101 table 1a).
    private static let bitCounts = [95, 103, 118, 134, 148, 159, 204, 244, 39]
    private static let noDataType = 15
    /// Ticks in a frame: 20 ms at 8000 ticks per second.
    static let ticksPerFrame: Int64 = 160

    /// - Parameters:
    ///   - layout: the packing that the `fmtp` of the SDP declares.
    ///   - limits: limits on what the publisher may send.
    package init(layout: Layout, limits: DepacketizerLimits = .standard) {
        self.layout = layout
        self.limits = limits
    }

    package mutating func receive(
        _ packet: RTPPacket, into output: inout [DepacketizerOutput]
    ) throws(DepacketizationError) {
        guard packet.payload.readableBytes > 0 else { return }
        var reader = BitReader(Array(packet.payload.readableBytesView))
        do {
            try reader.skipBits(layout == .octetAligned ? 8 : 4)  // codec mode request
            let headers = try tableOfContents(&reader, packet)
            var frames: [(index: Int, frame: ByteBuffer)] = []
            for (index, header) in headers.enumerated() {
                let type = Int(header >> 3 & 15)
                // No frame was sent for these 20 ms.
                if type == Self.noDataType { continue }
                guard Self.bitCounts.indices.contains(type) else {
                    throw DepacketizationError(.malformed, packet, "AMR frame type \(type) does not exist")
                }
                frames.append((index, try frame(header, bitCount: Self.bitCounts[type], &reader)))
            }
            for (index, frame) in frames {
                let offset = Int64(index) * Self.ticksPerFrame
                output.append(.unit(.audio(frame, rtpTimestamp: packet.rtpTimestamp, tickOffset: offset)))
            }
        } catch let error as DepacketizationError {
            throw error
        } catch {
            throw DepacketizationError(.truncated, packet, "the AMR frames are cut off")
        }
    }

    package mutating func packetsLost(into output: inout [DepacketizerOutput]) {}

    /// Reads the table of contents (RFC 4867 §4.3.2, §4.4.2): type and quality of each frame, and whether another one
    /// follows.
    ///
    /// - Returns: the frames' headers in storage format.
    private func tableOfContents(_ reader: inout BitReader, _ packet: RTPPacket) throws -> [UInt8] {
        var headers: [UInt8] = []
        var isFollowed = true
        while isFollowed {
            guard headers.count < limits.maximumAudioFrameCount else {
                throw DepacketizationError(.limitExceeded, packet, "the packet has more than \(headers.count) frames")
            }
            isFollowed = try reader.readBit()
            headers.append(UInt8(try reader.readBits(5)) << 2)
            if layout == .octetAligned { try reader.skipBits(2) }
        }
        return headers
    }

    private func frame(_ header: UInt8, bitCount: Int, _ reader: inout BitReader) throws -> ByteBuffer {
        var frame = ByteBuffer()
        frame.reserveCapacity(1 + (bitCount + 7) / 8)
        frame.writeInteger(header)
        var rest = bitCount
        while rest > 0 {
            let count = min(rest, 8)
            frame.writeInteger(UInt8(try reader.readBits(count)) << UInt8(8 - count))
            rest -= count
        }
        if layout == .octetAligned { try reader.skipBits((8 - bitCount % 8) % 8) }
        return frame
    }
}
