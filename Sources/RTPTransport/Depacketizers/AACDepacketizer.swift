package import Codecs
import MediaCore
import NIOCore

/// Depacketizes AAC as defined by RFC 3640 in its AAC-lbr and AAC-hbr modes (§3.3.5, §3.3.6): several frames per
/// packet, or one frame in several packets.
package struct AACDepacketizer: Depacketizer {
    /// Widths of the fields of an AU header, in bits (RFC 3640 §4.1).
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

        /// Whether the size field is present and all fields have at most 16 bits, which is what the parser supports.
        package var isUsable: Bool {
            (1...16).contains(sizeBitCount) && (0...16).contains(indexBitCount) && (0...16).contains(indexDeltaBitCount)
        }
    }

    private let layout: HeaderLayout
    private let limits: DepacketizerLimits
    /// Duration of a frame in ticks of the track's clock.
    private let ticksPerFrame: Int64
    /// The frame whose first fragments have arrived; `nil` between frames.
    private var partial: (rtpTimestamp: UInt32, byteCount: Int, frame: ByteBuffer)?

    /// - Parameters:
    ///   - configuration: the stream's AudioSpecificConfig.
    ///   - clockRate: clock rate in the `rtpmap`. For HE-AAC, some senders count the core coder's samples and others
    ///     the output's.
    ///   - layout: a layout that ``HeaderLayout/isUsable`` accepts; otherwise traps.
    ///   - limits: limits on what the publisher may send.
    package init(
        configuration: AACConfiguration, clockRate: UInt32, layout: HeaderLayout = .highBitRate,
        limits: DepacketizerLimits = .standard
    ) {
        precondition(layout.isUsable, "the layout was checked when the SDP was read")
        self.layout = layout
        self.limits = limits
        ticksPerFrame =
            Int64(configuration.samplesPerFrame) * Int64(clockRate) / Int64(max(1, configuration.sampleRate))
    }

    /// - Throws: ``DepacketizationError`` if the packet cannot be used; its frames are dropped.
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
                throw DepacketizationError(.limitExceeded, packet, "the packet has more than \(frameCount - 1) frames")
            }
            guard let frame = payload.readSlice(length: header.byteCount) else {
                throw DepacketizationError(.truncated, packet, "the audio frame is cut off")
            }
            emit(frame, packet.rtpTimestamp, index * ticksPerFrame, into: &output)
        }
    }

    package mutating func packetsLost(into output: inout [DepacketizerOutput]) { partial = nil }

    /// Reads the AU header section (RFC 3640 §3.2.1): the length of the headers in bits, then the headers, padded to
    /// whole bytes.
    private func headers(_ payload: inout ByteBuffer, _ packet: RTPPacket) throws(DepacketizationError) -> BitReader {
        guard let bitCount = payload.readInteger(as: UInt16.self),
            let bytes = payload.readBytes(length: (Int(bitCount) + 7) / 8)
        else { throw DepacketizationError(.truncated, packet, "the AU headers are cut off") }
        guard Int(bitCount) >= layout.sizeBitCount else {
            throw DepacketizationError(.malformed, packet, "the packet has no AU header")
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
            throw DepacketizationError(.truncated, packet, "the AU header is cut off")
        }
    }

    // MARK: Frames in several packets

    /// Whether the packet holds a fragment (RFC 3640 §3.2.3): its header states the size of the whole frame, which
    /// exceeds the packet.
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
            throw DepacketizationError(.limitExceeded, packet, "the audio frame has \(byteCount) bytes")
        }
        // Audio frames are small and must be contiguous. This is the only place where bytes are copied.
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
            throw DepacketizationError(.malformed, packet, "the fragments are longer than the audio frame")
        }
    }

    private func emit(
        _ frame: ByteBuffer, _ rtpTimestamp: UInt32, _ tickOffset: Int64, into output: inout [DepacketizerOutput]
    ) {
        // A header may announce a frame of zero bytes, but decoders do not accept one.
        guard frame.readableBytes > 0 else { return }
        output.append(.unit(.audio(frame, rtpTimestamp: rtpTimestamp, tickOffset: tickOffset)))
    }
}
