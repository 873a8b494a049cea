import CLibAV
import LibAV
import MediaCore

/// Extracts single frames from a video file. Its work is bounded, whatever the file says. Belongs to one thread.
final class FrameReader {
    /// A decoded frame.
    struct TimedFrame {
        var frame: Frame
        /// The presentation time in microseconds from the start of the file.
        var time: Int64
    }

    /// The video stream that is read.
    let info: StreamInfo
    private let input: InputFile
    private let decoder: Decoder
    private let packet: Packet
    private var pending: [TimedFrame] = []
    private var isAtEnd = false
    private var frameCount = 0
    private var packetCount = 0
    private let maximumFrameCount: Int
    /// The limit on packets read; packets of other streams and undecodable ones count, too.
    private let maximumPacketCount: Int

    /// The packets that may be read for each frame that may be decoded.
    private static let packetsPerFrame = 4
    /// The tolerance for rounded times, in microseconds.
    private static let tolerance: Int64 = 500

    /// Opens the decoder. Throws ``LibAVError`` with code `noMedia` if the file has no video.
    ///
    /// - Parameter maximumFrameCount: The largest number of frames to decode in total.
    init(_ input: InputFile, maximumFrameCount: Int) throws(LibAVError) {
        guard let info = input.mainStream(.video) else {
            throw LibAVError(.noMedia, file: input.name, "holds no video")
        }
        input.readOnly([info])
        self.info = info
        self.input = input
        self.maximumFrameCount = maximumFrameCount
        maximumPacketCount = maximumFrameCount * Self.packetsPerFrame
        decoder = try Decoder(
            input.stream(info), codecName: info.codecName, file: input.name, threadCount: 1,
            maximumPixelCount: input.formats == .images ? ImageHeader.maximumPixelCount : nil)
        packet = try Packet()
    }

    /// True if the limits are reached, so that no more frames come, not even after a seek.
    var isExhausted: Bool { frameCount >= maximumFrameCount || packetCount >= maximumPacketCount }

    /// Seeks to the last key frame at or before a time in microseconds. If the file is not seekable, reading continues
    /// with the next frames.
    func seek(to time: Int64) {
        guard input.seek(toMicroseconds: input.startMicroseconds + max(0, time)) else { return }
        decoder.flush()
        pending = []
        isAtEnd = false
    }

    /// Returns the next frame in presentation order; `nil` at the end, and when the reader is exhausted.
    func next() throws(LibAVError) -> TimedFrame? {
        while pending.isEmpty, !isAtEnd, !isExhausted {
            if try readPacket() {
                try decode(packet)
            } else {
                try drain()
                isAtEnd = true
            }
        }
        return pending.isEmpty ? nil : pending.removeFirst()
    }

    /// Returns the frame that is presented at a time in microseconds, or else the first or last one; `nil` if nothing
    /// can be decoded.
    ///
    /// - Parameter limit: The largest number of frames to decode from the key frame on; the last of them is returned if
    ///   the limit is reached.
    func frame(at time: Int64, limit: Int) throws(LibAVError) -> TimedFrame? {
        seek(to: time)
        var shown: TimedFrame?
        for _ in 0..<max(1, limit) {
            guard let candidate = try next() else { break }
            if shown != nil, candidate.time > time + Self.tolerance {
                pending.insert(candidate, at: 0)
                break
            }
            shown = candidate
        }
        return shown
    }

    /// Returns the key frame at or before a time, without decoding the frames after it.
    ///
    /// - Parameter known: The place of a key frame from an earlier call that is not wanted again.
    /// - Returns: `nil` for the known key frame, and if nothing can be decoded.
    func keyFrame(at time: Int64, unless known: Int64?) throws(LibAVError) -> (frame: Frame, place: Int64)? {
        seek(to: time)
        var place: Int64?
        // If the key frame is damaged, a frame after it may do.
        for _ in 0..<Self.maximumKeyPacketCount {
            guard !isExhausted, try readPacket() else { break }
            let packetPlace = packet.presentationTime ?? packet.decodeTime ?? packet.pointer.pointee.pos
            if place == nil, packetPlace == known { return nil }
            place = place ?? packetPlace
            try decode(packet)
            // Decoders that reorder frames hold this one back until they are drained.
            try drain()
            if let candidate = pending.first {
                pending = []
                return (candidate.frame, place ?? 0)
            }
        }
        return nil
    }

    private static let maximumKeyPacketCount = 32

    // MARK: Packets

    private func readPacket() throws(LibAVError) -> Bool {
        while packetCount < maximumPacketCount {
            guard try input.read(into: packet) else { return false }
            packetCount += 1
            if packet.streamIndex == info.index { return true }
        }
        return false
    }

    private func decode(_ packet: Packet?) throws(LibAVError) {
        let timeBase = input.stream(info).pointee.time_base
        try decoder.decode(packet) { frame throws(LibAVError) in
            frameCount += 1
            let time = frame.bestEffortTime.map { rescale($0, from: timeBase, to: microseconds) }
            pending.append(
                TimedFrame(
                    frame: try frame.reference(), time: (time ?? input.startMicroseconds) &- input.startMicroseconds))
        }
    }

    private func drain() throws(LibAVError) {
        try decode(nil)
        decoder.flush()
    }
}
