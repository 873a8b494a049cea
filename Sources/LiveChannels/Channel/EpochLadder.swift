import Codecs
import DequeModule
import MediaCore
import Packaging

/// The ladder of a push: who encodes it, and what has come back.
struct EpochLadder {
    /// A quality.
    struct Rung {
        let preset: QualityPreset
        let rendition: RenditionID
        var configuration: CodecConfiguration?
        var state = LiveRungState.encoded
        /// The time by which the source shows its key frames after it decodes them, in ticks. Qualities keep it, so
        /// that their segments begin at the same times.
        var compositionDelay: Int64 = 0
        /// True after an interruption, until a unit comes: the first one may be a key frame within a group of pictures.
        var isInterrupted = false
        /// The number of the newest initialization section that viewers can already fetch.
        var registeredInitializationNumber = 0
    }

    let ladder: any LiveLadder
    let relay: TranscoderRelay<LiveLadderOutput>
    let timescale: Timescale
    /// The name of the source's codec, which does not change while the ladder lasts.
    let codec: String
    var rungs: [Rung]
    var hasReportedOverload = false
    private var isWatched = true
    /// The segment of the source whose date the ladder was last told; `nil` before the first one.
    private var datedSequence: Int?
    /// Whether the ladder knows the dates of frames.
    private(set) var isDated = false
    /// The newest key frames of the source.
    private var keyFrames: Deque<(presentationTime: Int64, decodeTime: Int64)> = []
    private var newestTime: Int64 = .min

    /// Limit of remembered key frames: those of four seconds if every frame is one.
    private static let maximumKeyFrameCount = 256
    /// Seconds by which a quality may be later than the source. What comes later belongs to nothing that is still
    /// built.
    private static let maximumDelaySeconds: Int64 = 30

    /// The same in ticks.
    private var maximumDelay: UInt64 { UInt64(Self.maximumDelaySeconds) * UInt64(timescale.ticksPerSecond) }

    init(
        _ ladder: any LiveLadder, relay: TranscoderRelay<LiveLadderOutput>, timescale: Timescale, codec: String,
        rungs: [Rung]
    ) {
        (self.ladder, self.relay, self.timescale, self.codec) = (ladder, relay, timescale, codec)
        self.rungs = rungs
    }

    /// Hands over a unit of the source, with the times with which it was packaged.
    mutating func send(_ unit: AccessUnit, _ configuration: CodecConfiguration) {
        ladder.send(unit, configuration)
        // A publisher may claim any time.
        guard unit.presentationTime.subtractingSaturating(unit.decodeTime).magnitude <= maximumDelay else { return }
        if unit.isRandomAccessPoint {
            if keyFrames.count >= Self.maximumKeyFrameCount { keyFrames.removeFirst() }
            keyFrames.append((unit.presentationTime, unit.decodeTime))
        }
        newestTime = max(newestTime, unit.presentationTime)
    }

    /// Sets the date of a frame that arrives now; that of the first segment follows, once its first part is finished.
    mutating func setDate(_ date: WallClockTime, at time: Int64) {
        isDated = true
        ladder.setDate(date, at: time)
    }

    /// Notes a part of the source, with the date of its segment.
    mutating func note(_ part: PartialSegment, of header: LiveSegmentHeader) {
        guard datedSequence != header.mediaSequence else { return }
        datedSequence = header.mediaSequence
        setDate(header.programDateTime, at: part.presentationStart.converted(to: timescale).value)
    }

    mutating func setWatched(_ isWatched: Bool) {
        guard isWatched != self.isWatched else { return }
        self.isWatched = isWatched
        ladder.setWatched(isWatched)
    }

    /// A unit of a quality with the decode time that belongs to it; `nil` for one that cannot be of the source, because
    /// what encodes it is not trusted.
    mutating func placed(_ unit: AccessUnit, rung: Int) -> AccessUnit? {
        let earliest = newestTime.subtractingSaturating(Int64(maximumDelay))
        guard rungs.indices.contains(rung), (earliest...newestTime).contains(unit.presentationTime) else { return nil }
        if unit.isRandomAccessPoint {
            let isInterrupted = rungs[rung].isInterrupted
            let group = keyFrames.last {
                isInterrupted
                    ? $0.presentationTime <= unit.presentationTime : $0.presentationTime == unit.presentationTime
            }
            guard let source = group else { return nil }
            rungs[rung].isInterrupted = false
            rungs[rung].compositionDelay = source.presentationTime - source.decodeTime
        }
        var placed = unit
        placed.decodeTime = unit.presentationTime - rungs[rung].compositionDelay
        return placed
    }

    /// Notes that the encoder has ended and starts again.
    mutating func noteInterruption() {
        for index in rungs.indices { rungs[index].isInterrupted = true }
    }

    /// The quality with a number, which what encodes it has told; `nil` if there is none.
    func rung(_ index: Int) -> Rung? { rungs.indices.contains(index) ? rungs[index] : nil }

    func close() {
        ladder.close()
        relay.close()
    }
}

extension RenditionID {
    /// The renditions of a ladder's presets, in their order. Names that are no part of a rendition's name, and those
    /// that become the same, get a number.
    ///
    /// - Parameter boardRung: the index of the preset with the scoreboard; `nil` for none.
    static func rungs(_ presets: [QualityPreset], boardRung: Int? = nil) -> [RenditionID] {
        var seen: Set<RenditionID> = [.scoreboard]
        return presets.enumerated().map { index, preset in
            if index == boardRung { return .scoreboard }
            let named = RenditionID(name: "video-\(preset.name.lowercased())")
            let id = named.flatMap { seen.contains($0) ? nil : $0 } ?? RenditionID(.video, variant: "r\(index + 1)")
            seen.insert(id)
            return id
        }
    }
}
