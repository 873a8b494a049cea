package import Codecs
import MediaCore
import NIOCore

/// RFC 3640 in its AAC-lbr and AAC-hbr modes (§3.3.5, §3.3.6): several frames a packet, or one frame in several.
package struct AACDepacketizer: Depacketizer {
    /// Widths of the AU header's fields, in bits (§4.1).
    package struct HeaderLayout: Hashable, Sendable {
        package var sizeBitCount: Int
        package var indexBitCount: Int
        package var indexDeltaBitCount: Int

        package static let highBitRate = HeaderLayout(sizeBitCount: 13, indexBitCount: 3, indexDeltaBitCount: 3)
        package static let lowBitRate = HeaderLayout(sizeBitCount: 6, indexBitCount: 2, indexDeltaBitCount: 2)

        package init(sizeBitCount: Int, indexBitCount: Int, indexDeltaBitCount: Int) {
            self.sizeBitCount = sizeBitCount
            self.indexBitCount = indexBitCount
            self.indexDeltaBitCount = indexDeltaBitCount
        }

        /// Fields that our bit reader can take, and sizes that mean something.
        package var isUsable: Bool {
            (1...16).contains(sizeBitCount) && (0...16).contains(indexBitCount) && (0...16).contains(indexDeltaBitCount)
        }
    }

    private let layout: HeaderLayout
    private let limits: DepacketizerLimits
    /// Of the track's clock, in one frame.
    private let ticksPerFrame: Int64
    private var partial: (rtpTimestamp: UInt32, byteCount: Int, frame: ByteBuffer)?

    /// - Parameters:
    ///   - layout: usable.
    ///   - clockRate: of the `rtpmap`: for HE-AAC some senders count the core coder's samples, others the output's.
    package init(
        configuration: AACConfiguration, clockRate: UInt32, layout: HeaderLayout = .highBitRate,
        limits: DepacketizerLimits = .standard
    ) {
        precondition(layout.isUsable, "the layout was checked where the SDP was read")
        self.layout = layout
        self.limits = limits
        ticksPerFrame =
            Int64(configuration.samplesPerFrame) * Int64(clockRate) / Int64(max(1, configuration.sampleRate))
    }

    /// - Throws: where the packet is unusable; its frames are dropped.
    package mutating func receive(
        _ packet: RTPPacket, into output: inout [DepacketizerOutput]
    ) throws(DepacketizationError) {
        var payload = packet.payload
        guard payload.readableBytes > 0 else { return }
        var reader = try headers(&payload, packet)
        if partial != nil || isFragment(reader, payload) {
            return try receiveFragment(&reader, payload, packet, into: &output)
        }
        var index: Int64 = -1
        var frameCount = 0
        while reader.remainingBitCount >= layout.sizeBitCount {
            let header = try readHeader(&reader, isFirst: index < 0, packet)
            index += 1 + (index < 0 ? 0 : header.indexDelta)
            frameCount += 1
            guard frameCount <= limits.maximumAudioFrameCount else {
                throw DepacketizationError(.limitExceeded, packet, "more than \(frameCount - 1) frames in a packet")
            }
            guard let frame = payload.readSlice(length: header.byteCount) else {
                throw DepacketizationError(.truncated, packet, "audio frame")
            }
            emit(frame, packet.rtpTimestamp, index * ticksPerFrame, into: &output)
        }
    }

    package mutating func packetsLost(into output: inout [DepacketizerOutput]) { partial = nil }

    /// §3.2.1: the length in bits of the headers, then the headers, padded to whole bytes.
    private func headers(_ payload: inout ByteBuffer, _ packet: RTPPacket) throws(DepacketizationError) -> BitReader {
        guard let bitCount = payload.readInteger(as: UInt16.self),
            let bytes = payload.readBytes(length: (Int(bitCount) + 7) / 8)
        else { throw DepacketizationError(.truncated, packet, "AU headers") }
        guard Int(bitCount) >= layout.sizeBitCount else {
            throw DepacketizationError(.malformed, packet, "no AU header")
        }
        return BitReader(bytes)
    }

    private func readHeader(
        _ reader: inout BitReader, isFirst: Bool, _ packet: RTPPacket
    ) throws(DepacketizationError) -> (byteCount: Int, indexDelta: Int64) {
        do {
            let size = Int(try reader.readBits(layout.sizeBitCount))
            let delta = Int64(try reader.readBits(isFirst ? layout.indexBitCount : layout.indexDeltaBitCount))
            return (size, delta)
        } catch {
            throw DepacketizationError(.truncated, packet, "AU header")
        }
    }

    // MARK: Frames in several packets

    /// §3.2.3: a fragment's header tells the whole frame's size, more than the packet has.
    private func isFragment(_ reader: BitReader, _ payload: ByteBuffer) -> Bool {
        var reader = reader
        guard let size = try? reader.readBits(layout.sizeBitCount) else { return false }
        let isOnly = reader.remainingBitCount - layout.indexBitCount < layout.sizeBitCount
        return isOnly && Int(size) > payload.readableBytes
    }

    private mutating func receiveFragment(
        _ reader: inout BitReader, _ payload: ByteBuffer, _ packet: RTPPacket,
        into output: inout [DepacketizerOutput]
    ) throws(DepacketizationError) {
        let byteCount = try readHeader(&reader, isFirst: true, packet).byteCount
        guard byteCount <= limits.maximumAudioFrameByteCount else {
            partial = nil
            throw DepacketizationError(.limitExceeded, packet, "an audio frame of \(byteCount) bytes")
        }
        // Audio frames are small and must end up in one piece: here, and only here, bytes are copied.
        var frame = ByteBuffer()
        if let begun = partial, begun.rtpTimestamp == packet.rtpTimestamp, begun.byteCount == byteCount {
            frame = begun.frame
        }
        partial = nil
        frame.writeImmutableBuffer(payload)
        if frame.readableBytes < byteCount {
            partial = (packet.rtpTimestamp, byteCount, frame)
        } else if frame.readableBytes == byteCount {
            emit(frame, packet.rtpTimestamp, 0, into: &output)
        } else {
            throw DepacketizationError(.malformed, packet, "fragments longer than their audio frame")
        }
    }

    private func emit(
        _ frame: ByteBuffer, _ rtpTimestamp: UInt32, _ tickOffset: Int64, into output: inout [DepacketizerOutput]
    ) {
        // A frame of no bytes is legal in a header and nothing that a decoder takes.
        guard frame.readableBytes > 0 else { return }
        output.append(.unit(.audio(frame, rtpTimestamp: rtpTimestamp, tickOffset: tickOffset)))
    }
}
