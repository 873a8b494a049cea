import CLibAV
import LibAV
import MediaCore

/// The plan of a capture's threads.
struct CapturePlan {
    /// One thread's work.
    struct Job {
        /// The thread's name.
        var name: String
        /// Runs the job.
        ///
        /// - Returns: Why it ended early; `nil` if it did not.
        var run: @Sendable () -> LibAVError?
    }

    let encoding: BroadcastEncoding
    let clock: BroadcastClock
    let control: BroadcastControl
    let emitAll: @Sendable ([BroadcastOutput]) -> Void

    var emit: @Sendable (BroadcastOutput) -> Void { { [emitAll] in emitAll([$0]) } }
    var punctuality: Punctuality { Punctuality(clock: clock, control: control) }

    /// Opens a source and returns the jobs that capture it.
    func jobs(for source: BroadcastSource) throws(LibAVError) -> [Job] {
        switch source {
        case .devices(let video, let audio): try deviceJobs(video, audio)
        case .file(let path, let isRepeated): [try fileJob(path, isRepeated: isRepeated)]
        case .standardInput: [try standardInputJob()]
        }
    }

    private var encodedVideo: String {
        "H.264 up to \(encoding.width)x\(encoding.height) at \(encoding.videoBitRate / 1_000) kbit/s"
    }
    private var encodedAudio: String { "AAC at \(encoding.audioBitRate / 1_000) kbit/s" }

    // MARK: Devices

    private func deviceJobs(
        _ video: BroadcastSource.VideoDevice?, _ audio: BroadcastSource.AudioDevice?
    ) throws(LibAVError) -> [Job] {
        var jobs: [Job] = []
        let origin = Origin()
        if let video { jobs.append(try videoJob(video, origin)) }
        if let audio { jobs.append(try audioJob(audio, origin)) }
        guard !jobs.isEmpty else { throw LibAVError(.noMedia, file: nil, "there is nothing to capture") }
        let tracks: [MediaType] = [video.map { _ in .video }, audio.map { _ in .audio }].compactMap(\.self)
        emit(
            .tracks(
                Set(tracks),
                BroadcastSummary(video: video.map { _ in encodedVideo }, audio: audio.map { _ in encodedAudio })))
        // Opening a camera takes a second; the capture's time starts after that.
        origin.time = clock.now()
        return jobs
    }

    /// The start of a capture on its clock. Set before its threads start, and never again.
    final class Origin: @unchecked Sendable {
        var time: Int64 = 0
    }

    private func videoJob(_ device: BroadcastSource.VideoDevice, _ origin: Origin) throws(LibAVError) -> Job {
        switch device {
        case .testCard(let title):
            let card = try TestCard(encoding, title: title)
            let name = "test card"
            return job("broadcast-video") { () throws(LibAVError) in
                let encoder = BroadcastVideoEncoder(
                    encoding, sourceFrameRate: nil, name: name, control: control, emit: emit)
                try card.run(encoder, clock: clock, control: control, origin: origin.time)
            }
        case .camera(let device), .screen(let device): return try deviceJob(ofVideo: device, origin)
        }
    }

    private func audioJob(_ device: BroadcastSource.AudioDevice, _ origin: Origin) throws(LibAVError) -> Job {
        switch device {
        case .testTone:
            return job("broadcast-audio") { () throws(LibAVError) in
                let encoder = BroadcastAudioEncoder(encoding, name: "test tone", emit: emit)
                try TestTone(encoder: encoder, clock: clock, control: control, origin: origin.time).run()
            }
        case .microphone(let device): return try deviceJob(ofAudio: device, origin)
        }
    }

    // MARK: Files

    private func fileJob(_ path: String, isRepeated: Bool) throws(LibAVError) -> Job {
        let decision = try CopyDecision(
            examining: InputFile(path: path, interruption: control.interruption), for: encoding)
        let input = try InputFile(path: path, interruption: control.interruption)
        let rewind: (() -> Bool)? = isRepeated ? { input.seek(toMicroseconds: input.startMicroseconds) } : nil
        return try pumpJob(
            input, rewind: rewind, copiesVideo: decision.copiesVideo, copiesAudio: decision.copiesAudio)
    }

    private func standardInputJob() throws(LibAVError) -> Job {
        let input = try CaptureInput(standardInput: control.interruption)
        return try pumpJob(input, rewind: nil, copiesVideo: false, copiesAudio: false)
    }

    private func pumpJob(
        _ source: any PacketSource, rewind: (() -> Bool)?, copiesVideo: Bool, copiesAudio: Bool
    ) throws(LibAVError) -> Job {
        let batch = OutputBatch(emitAll)
        let origin = clock.now()
        var pump = PacketPump(
            source, rewind: rewind, clock: clock, control: control, origin: origin, beforeWait: batch.release)
        var summary = BroadcastSummary(video: nil, audio: nil)
        var tracks: Set<MediaType> = []
        let (video, audio) = (source.bestStream(.video), source.bestStream(.audio))
        for kind in [video != nil ? MediaType.video : nil, audio != nil ? .audio : nil].compactMap(\.self) {
            tracks.insert(kind)
        }
        guard !tracks.isEmpty else { throw LibAVError(.noMedia, file: source.name, "holds no video or audio") }
        if let video {
            let copy =
                copiesVideo ? VideoCopyingRoute(video, of: source, control: control, emit: batch.emit) : nil
            summary.video = copy == nil ? encodedVideo : "H.264 \(video.width ?? 0)x\(video.height ?? 0), copied"
            if let copy {
                pump.add(copy, for: video)
            } else {
                let encoder = BroadcastVideoEncoder(
                    encoding, sourceFrameRate: video.frameRate, name: source.name, control: control, emit: batch.emit)
                let route = try VideoEncodingRoute(
                    video, of: source, encoder: encoder, threadCount: Decoder.maximumThreadCount,
                    isLate: { [punctuality] in punctuality.isLate($0, origin: origin) })
                pump.add(route, for: video)
            }
        }
        if let audio {
            let copy = copiesAudio ? AudioCopyingRoute(audio, of: source, emit: batch.emit) : nil
            summary.audio = copy == nil ? encodedAudio : "AAC, copied"
            if let copy {
                pump.add(copy, for: audio)
            } else {
                pump.add(
                    try AudioEncodingRoute(
                        audio, of: source,
                        encoder: BroadcastAudioEncoder(encoding, name: source.name, emit: batch.emit)),
                    for: audio)
            }
        }
        for stream in source.streams where stream.index != video?.index && stream.index != audio?.index {
            source.stream(stream).pointee.discard = AVDISCARD_ALL
        }
        // The first output announces the tracks; what the routes emitted while they were created follows it.
        emit(.tracks(tracks, summary))
        batch.release()
        let finished = pump
        return job("broadcast-file") { () throws(LibAVError) in try finished.run() }
    }

    // MARK: Jobs

    func job(_ name: String, _ body: @escaping () throws(LibAVError) -> Void) -> Job {
        let work = Work(body)
        return Job(name: name) { work.run() }
    }

    /// Work that is handed from the thread that creates it to the one that does it, which is the last to touch it.
    private final class Work: @unchecked Sendable {
        private var body: (() throws(LibAVError) -> Void)?

        init(_ body: @escaping () throws(LibAVError) -> Void) { self.body = body }

        func run() -> LibAVError? {
            defer { body = nil }
            do throws(LibAVError) {
                try body?()
                return nil
            } catch {
                return error
            }
        }
    }
}
