import CLibAV
package import LibAV
package import NIOCore

/// Encodes a chunk of a file's main video into several renditions at once: one decoder feeds them all.
///
/// The samples are handed in, so that their times are those of the title's own timeline whatever libav's demuxer makes
/// of an edit list, and a fragmented file is not read from its start for every chunk. The choice of frames and of key
/// frames follows from their times alone: chunks that were encoded one by one are identical to the output of a single
/// run.
package final class LadderEncoding {
    /// A coded frame of the source. Times are in ticks of the chunk's timescale.
    package struct Sample {
        package var bytes: ByteBuffer
        package var presentationTime: Int64
        package var decodeTime: Int64
        package var isSync: Bool

        /// Creates a sample; the parameters are the properties of the same names.
        package init(bytes: ByteBuffer, presentationTime: Int64, decodeTime: Int64, isSync: Bool) {
            self.bytes = bytes
            self.presentationTime = presentationTime
            self.decodeTime = decodeTime
            self.isSync = isSync
        }
    }

    /// A rendition to encode and the file to write it to.
    package struct Output {
        package var rung: LadderRung
        package var path: String

        /// Creates an output; `path` is overwritten.
        package init(rung: LadderRung, path: String) {
            self.rung = rung
            self.path = path
        }
    }

    /// The largest tolerated ratio of undecodable packets to decoded frames.
    private static let toleratedDamageShare = 0.5

    private let input: InputFile
    private let chunk: LadderChunk
    private let decoder: Decoder
    private let converters: [RungConverter]
    private var groups: GroupCursor
    private var isFinished = false
    private var lastTime: Int64?
    private var frameCount = 0
    private let packet: Packet

    /// Prepares the decoder and one encoder per output. Throws `LibAVError` if the input has no video or an encoder
    /// cannot be opened.
    ///
    /// - Parameters:
    ///   - input: Provides the stream's parameters; its packets are not read.
    ///   - chunk: The chunk to encode.
    ///   - frameTimes: The presentation times of the chunk's frames from the sample tables, sorted.
    ///   - encoder: The encoder of all renditions.
    ///   - outputs: The renditions, largest frame size first.
    ///   - threadCount: The number of threads for each of them.
    package init(
        _ input: InputFile, chunk: LadderChunk, frameTimes: [Int64], encoder: LadderEncoder, outputs: [Output],
        threadCount: Int
    ) throws(LibAVError) {
        precondition(!outputs.isEmpty && !chunk.groupStarts.isEmpty, "there is something to encode")
        guard let info = input.mainStream(.video) else {
            throw LibAVError(.noMedia, file: input.name, "holds no video")
        }
        self.input = input
        self.chunk = chunk
        groups = GroupCursor(chunk)
        packet = try Packet()
        let stream = input.stream(info)
        decoder = try Decoder(stream, codecName: info.codecName, file: input.name, threadCount: threadCount)
        let source = RungConverter.Source(
            stream: stream, rotation: FrameRotation(of: stream), chunk: chunk, frameTimes: frameTimes,
            file: input.name, interruption: input.interruption)
        let hardware = try encoder.device.map { kind throws(LibAVError) in
            try HardwareContext(kind, encoder: encoder.name, file: input.name)
        }
        converters = try outputs.map { output throws(LibAVError) in
            try RungConverter(
                output, source: source, encoder: encoder, hardware: hardware, threadCount: threadCount)
        }
    }

    /// Encodes the chunk.
    ///
    /// - Parameters:
    ///   - next: Returns the source's samples in decoding order, from a key frame at or before the chunk on; `nil`
    ///     after the last. It is not called again once all frames of the chunk are there.
    ///   - progress: Called with each frame's time.
    package func write(
        next: () throws -> Sample?, progress: (Int64) -> Void
    ) throws {
        while !isFinished {
            try input.interruption.check(file: input.name)
            guard let sample = try next() else { break }
            try fill(packet, with: sample)
            try decoder.decode(packet) { frame throws(LibAVError) in try accept(frame, progress) }
            packet.clear()
        }
        if !isFinished { try decoder.decode(nil) { frame throws(LibAVError) in try accept(frame, progress) } }
        guard frameCount > 0, Double(decoder.damagedPacketCount) <= Double(frameCount) * Self.toleratedDamageShare
        else {
            throw LibAVError(.damaged, file: input.name, "has too many frames that cannot be decoded")
        }
        for converter in converters { try converter.finish() }
    }

    private func fill(_ packet: Packet, with sample: Sample) throws(LibAVError) {
        guard let byteCount = Int32(exactly: sample.bytes.readableBytes) else {
            throw LibAVError(.damaged, file: input.name, "has a frame of \(sample.bytes.readableBytes) bytes")
        }
        let result = libav.av_new_packet(packet.pointer, byteCount)
        guard result >= 0, let data = packet.pointer.pointee.data else {
            throw LibAVError(.outOfMemory, file: input.name, "ran out of memory for a packet")
        }
        sample.bytes.withUnsafeReadableBytes { bytes in
            UnsafeMutableRawBufferPointer(start: data, count: bytes.count).copyMemory(from: bytes)
        }
        packet.presentationTime = sample.presentationTime
        packet.decodeTime = sample.decodeTime
        if sample.isSync { packet.pointer.pointee.flags |= AV_PKT_FLAG_KEY }
    }

    private func accept(_ frame: Frame, _ progress: (Int64) -> Void) throws(LibAVError) {
        guard let time = frame.presentationTime ?? frame.bestEffortTime, time >= chunk.start, !isFinished else {
            return
        }
        if let end = chunk.end, time >= end {
            isFinished = true
            return
        }
        // Damaged files repeat frames or go back in time.
        if let lastTime, time <= lastTime { return }
        lastTime = time
        let group = groups.group(beginningAt: time)
        frameCount += 1
        let progressive = try frame.progressive()
        // Each rendition is scaled from the next larger one: a frame with a third of the pixels is scaled in a third of
        // the time.
        var best = progressive
        for converter in converters {
            let scaled = try converter.accept(converter.canUse(best) ? best : progressive, at: time, group: group)
            best = scaled ?? best
        }
        progress(time)
    }
}
