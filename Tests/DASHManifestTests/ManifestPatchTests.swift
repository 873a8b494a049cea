import DASHConformance
import Testing
import XMLDocument

@testable import DASHManifest

/// Patches, applied as a player applies them.
struct ManifestPatchTests {
    /// A channel whose window moves: segments come and leave, periods begin, and everything else may change.
    private struct Channel {
        struct Segment {
            var number: Int
            var start, duration: Int64
        }

        struct Period {
            var id: Int
            /// The segments of each rendition.
            var segments: [[Segment]]
        }

        var random: SeededNumbers
        var periods: [Period] = []
        var publishedAt: Int64 = 1_800_000_000_000
        private var bandwidths = [1_000, 2_000, 3_000]
        private var next = 0
        private var periodCount = 0
        private var hasLatency = true
        private var hasCaptions = false

        init(seed: UInt64) {
            random = SeededNumbers(state: seed)
            beginPeriod()
        }

        private mutating func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &random) == 0 }

        private mutating func beginPeriod() {
            periodCount += 1
            periods.append(
                Period(id: periodCount, segments: Array(repeating: [], count: Int.random(in: 1...3, using: &random))))
        }

        mutating func step() {
            publishedAt += Int64.random(in: 1...9_000, using: &random)
            if chance(12) { beginPeriod() }
            for _ in 0..<Int.random(in: 0...4, using: &random) { append() }
            // Segments leave at the beginning, and a period when it has none.
            for _ in 0..<Int.random(in: 0...3, using: &random)
            where periods[0].segments[0].count > 1 || periods.count > 1 {
                for rendition in periods[0].segments.indices where !periods[0].segments[rendition].isEmpty {
                    periods[0].segments[rendition].removeFirst()
                }
                if periods.count > 1, periods[0].segments.allSatisfy(\.isEmpty) { periods.removeFirst() }
            }
            if chance(5) { bandwidths[Int.random(in: 0...2, using: &random)] += 1 }
            if chance(8) { hasLatency.toggle() }
            if chance(8) { hasCaptions.toggle() }
        }

        private mutating func append() {
            let last = periods.count - 1
            let usual: [Int64] = [48_000, 95_232, 96_256, 96_000]
            for rendition in periods[last].segments.indices {
                // The last one was listed while it was made, with the duration that it was expected to have.
                if var open = periods[last].segments[rendition].popLast() {
                    open.duration = usual.randomElement(using: &random) ?? 48_000
                    periods[last].segments[rendition].append(open)
                }
                let before = periods[last].segments[rendition].last
                let gap: Int64 = chance(20) ? 1_000 : 0
                periods[last].segments[rendition].append(
                    Segment(
                        number: next, start: (before.map { $0.start + $0.duration } ?? 0) + gap,
                        duration: chance(3) ? usual.randomElement(using: &random) ?? 48_000 : before?.duration ?? 48_000
                    ))
            }
            next += 1
        }

        /// - Parameter isLive: false for the last manifest, after which none comes.
        func manifest(isLive: Bool = true) -> MediaPresentationDescription {
            var live = LivePresentation(
                availabilityStart: 1_799_999_000_000, publishedAt: publishedAt,
                minimumUpdatePeriod: isLive ? 1 : nil, timeShiftBufferDepth: isLive ? Double(next) : nil,
                suggestedDelay: 6, clock: DASHDescriptor("urn:mpeg:dash:utc:http-iso:2014", "/live/time"))
            if isLive {
                live.patchLocation = PatchLocation(address: "manifest.mpp?publishTime=\(publishedAt)", lifetime: 30)
            }
            let latency = TargetLatency(target: 3.5, minimum: 2.5, maximum: 9, rates: 0.96...1.04, reference: 0)
            return MediaPresentationDescription(
                .live(live), minimumBufferTime: 2, maximumSegmentDuration: 6,
                latency: hasLatency && isLive ? latency : nil,
                periods: periods.enumerated().map { index, period in
                    PresentationPeriod(
                        id: "e\(period.id)-\(period.id)", start: Double(period.id),
                        duration: index < periods.count - 1 ? 12.5 : nil,
                        adaptationSets: period.segments.enumerated().compactMap { rendition, segments in
                            segments.isEmpty
                                ? nil : set(rendition, segments, isLast: isLive && index == periods.count - 1)
                        })
                })
        }

        private func set(_ rendition: Int, _ segments: [Segment], isLast: Bool) -> AdaptationSet {
            var timeline = SegmentTimeline()
            for segment in segments { timeline.append(start: segment.start, duration: segment.duration) }
            let name = ["video", "audio", "audio-2"][rendition]
            let template = SegmentTemplate(
                timescale: 48_000, presentationTimeOffset: 0, initialization: "\(name)/init.mp4",
                media: "\(name)/$Number$.m4s", startNumber: segments[0].number, times: .timeline(timeline),
                availabilityTimeOffset: isLast ? 1.5 : nil)
            var set = AdaptationSet(
                rendition == 0 ? .video : .audio, mediaType: rendition == 0 ? "video/mp4" : "audio/mp4",
                roles: ["main"],
                representations: [
                    Representation(
                        id: name, bandwidth: bandwidths[rendition], codecs: "x", media: .segments(template))
                ])
            if hasCaptions, isLast { set.accessibility = [DASHDescriptor("urn:scte:dash:cc:cea-608:2015", "CC1")] }
            return set
        }
    }

    private struct SeededNumbers: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state ^ state >> 33
        }
    }

    private static func check(
        _ old: MediaPresentationDescription, _ new: MediaPresentationDescription
    ) throws -> ManifestPatchDocument {
        let text = try #require(ManifestPatch.text(from: old, to: new))
        let patch = try ManifestPatchDocument(parsing: text)
        let applied = try patch.applied(to: old.rendered())
        #expect(applied == (try ManifestDocument.elements(of: new.rendered())), "\(text)")
        return patch
    }

    @Test(arguments: 0..<5 as Range<UInt64>) func appliedPatchesGiveTheNewManifest(_ seed: UInt64) throws {
        var channel = Channel(seed: seed)
        var manifests = [channel.manifest()]
        for _ in 0..<16 {
            channel.step()
            manifests.append(channel.manifest())
            for distance in [1, 6] where manifests.count > distance {
                _ = try Self.check(manifests[manifests.count - 1 - distance], manifests[manifests.count - 1])
            }
        }
        channel.step()
        _ = try Self.check(manifests[manifests.count - 1], channel.manifest(isLive: false))
    }

    /// An hour is listed once.
    @Test func aPatchIsSmall() throws {
        var timeline = SegmentTimeline()
        func manifest(_ publishedAt: Int64) -> MediaPresentationDescription {
            let live = LivePresentation(
                availabilityStart: 0, publishedAt: publishedAt, minimumUpdatePeriod: 1, timeShiftBufferDepth: 3_600,
                suggestedDelay: 6, clock: DASHDescriptor("urn:mpeg:dash:utc:http-iso:2014", "/live/time"))
            let template = SegmentTemplate(
                timescale: 48_000, presentationTimeOffset: 0, initialization: "init.mp4", media: "$Number$.m4s",
                startNumber: 0, times: .timeline(timeline))
            return MediaPresentationDescription(
                .live(live), minimumBufferTime: 2,
                periods: [
                    PresentationPeriod(
                        id: "p", start: 0,
                        adaptationSets: [
                            AdaptationSet(
                                .audio, mediaType: "audio/mp4",
                                representations: [Representation(id: "audio", bandwidth: 1, media: .segments(template))]
                            )
                        ])
                ])
        }
        for index in 0..<1_800 {
            timeline.append(start: timeline.end ?? 0, duration: index % 2 == 0 ? 96_256 : 95_232)
        }
        let old = manifest(1_000)
        timeline.append(start: timeline.end ?? 0, duration: 96_256)
        let new = manifest(3_000)
        let patch = try Self.check(old, new)
        #expect(patch.operationCount == 2)
        let text = try #require(ManifestPatch.text(from: old, to: new))
        #expect(new.rendered().utf8.count > 30_000 && text.utf8.count < 1_000)
        // Nothing has changed: a patch has an operation all the same.
        #expect(try Self.check(old, old).operationCount == 1)
    }

    @Test func manifestsOfOtherPresentationsHaveNoPatch() {
        func manifest(_ start: Int64) -> MediaPresentationDescription {
            MediaPresentationDescription(
                .live(
                    LivePresentation(
                        availabilityStart: start, publishedAt: 9, minimumUpdatePeriod: 1, timeShiftBufferDepth: nil,
                        suggestedDelay: nil, clock: DASHDescriptor("x"))), minimumBufferTime: 2, periods: [])
        }
        #expect(ManifestPatch.text(from: manifest(1), to: manifest(2)) == nil)
        let complete = MediaPresentationDescription(.complete(duration: 1), minimumBufferTime: 1, periods: [])
        #expect(ManifestPatch.text(from: complete, to: complete) == nil)
    }
}
