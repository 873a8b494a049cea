import DASHConformance
import Testing
import XMLDocument

@testable import DASHManifest

/// What manifests look like, as text.
struct MediaPresentationDescriptionTests {
    private static func timeline(_ segments: (Int64, Int64)...) -> SegmentTimeline {
        var timeline = SegmentTimeline()
        for (start, duration) in segments { timeline.append(start: start, duration: duration) }
        return timeline
    }

    private static func template(_ timeline: SegmentTimeline) -> SegmentTemplate {
        SegmentTemplate(
            timescale: 90_000, presentationTimeOffset: 900_000, initialization: "e/video/init-0.mp4",
            media: "e/video/$Number$.m4s", startNumber: 7, times: .timeline(timeline), availabilityTimeOffset: 1.5)
    }

    /// A title with markup in its texts is a title with markup in its texts.
    @Test func textsOfStrangersStayTexts() throws {
        let evil = "\"><script>alert('x')</script>&amp;\u{0}"
        let set = AdaptationSet(
            .audio, mediaType: "audio/mp4", language: "es", label: evil, roles: ["main"],
            representations: [Representation(id: "audio", bandwidth: 0, codecs: evil, media: .file(evil))])
        let text = MediaPresentationDescription(
            .complete(duration: 5), minimumBufferTime: 2,
            periods: [PresentationPeriod(id: evil, start: 0, adaptationSets: [set])]
        ).rendered()
        #expect(!text.contains("<script>") && !text.contains("\u{0}"))
        let document = try ManifestDocument(parsing: text)
        let expected = evil.replacing("\u{0}", with: "\u{FFFD}")
        #expect(document.periods.first?.id == expected)
        let rendition = try #require(document.periods.first?.renditions.first)
        #expect(rendition.attributes["codecs"] == expected && rendition.file == expected)
        #expect(rendition.element["Label"] == expected)
        #expect(rendition.attributes["bandwidth"] == "1", "the schema has no rendition without a rate")
    }

    @Test func aLiveManifestSaysWhenItsSegmentsCome() throws {
        let live = LivePresentation(
            availabilityStart: 0, publishedAt: 1_764_000_000_123, minimumUpdatePeriod: 1, timeShiftBufferDepth: 12.5,
            suggestedDelay: 6, clock: DASHDescriptor("urn:mpeg:dash:utc:http-iso:2014", "/live/time"))
        var representation = Representation(
            id: "video", bandwidth: 1_000, codecs: "avc1.4d401f",
            media: .segments(
                Self.template(Self.timeline((900_000, 180_000), (1_080_000, 180_000), (1_260_000, 90_000)))))
        representation.size = (1_280, 720)
        representation.frameRate = 29.97
        var set = AdaptationSet(.video, mediaType: "video/mp4", roles: ["main"], representations: [representation])
        set.referenceTime = ProducerReferenceTime(
            id: 0, date: 1_763_999_000_000, presentationTime: 900_000, clock: DASHDescriptor("urn:x", "y"))
        let text = MediaPresentationDescription(
            .live(live), minimumBufferTime: 2, maximumSegmentDuration: 6,
            latency: TargetLatency(target: 3.5, minimum: 2.5, maximum: 8, rates: 0.96...1.04, reference: 0),
            periods: [PresentationPeriod(id: "e-7", start: 1_763_999_000, adaptationSets: [set])]
        ).rendered()
        #expect(
            text == """
                <?xml version="1.0" encoding="UTF-8"?>
                <MPD xmlns="urn:mpeg:dash:schema:mpd:2011" profiles="urn:mpeg:dash:profile:isoff-live:2011,urn:mpeg:dash:profile:cmaf:2019" id="live-0" type="dynamic" availabilityStartTime="1970-01-01T00:00:00.000Z" publishTime="2025-11-24T16:00:00.123Z" minimumUpdatePeriod="PT1S" timeShiftBufferDepth="PT12.5S" suggestedPresentationDelay="PT6S" minBufferTime="PT2S" maxSegmentDuration="PT6S">
                 <ServiceDescription id="0">
                  <Latency target="3500" min="2500" max="8000" referenceId="0"/>
                  <PlaybackRate min="0.96" max="1.04"/>
                 </ServiceDescription>
                 <Period id="e-7" start="PT1763999000S">
                  <AdaptationSet id="0" contentType="video" mimeType="video/mp4" segmentAlignment="true" startWithSAP="1">
                   <ProducerReferenceTime id="0" type="encoder" wallClockTime="2025-11-24T15:43:20.000Z" presentationTime="900000">
                    <UTCTiming schemeIdUri="urn:x" value="y"/>
                   </ProducerReferenceTime>
                   <Role schemeIdUri="urn:mpeg:dash:role:2011" value="main"/>
                   <Representation id="video" bandwidth="1000" codecs="avc1.4d401f" width="1280" height="720" frameRate="30000/1001">
                    <SegmentTemplate timescale="90000" presentationTimeOffset="900000" initialization="e/video/init-0.mp4" media="e/video/$Number$.m4s" startNumber="7" availabilityTimeOffset="1.5" availabilityTimeComplete="false">
                     <SegmentTimeline>
                      <S t="900000" d="180000" r="1"/>
                      <S d="90000"/>
                     </SegmentTimeline>
                    </SegmentTemplate>
                   </Representation>
                  </AdaptationSet>
                 </Period>
                 <UTCTiming schemeIdUri="urn:mpeg:dash:utc:http-iso:2014" value="/live/time"/>
                </MPD>

                """)
        let segments = try #require(ManifestDocument(parsing: text).periods.first?.renditions.first?.segments)
        #expect(segments.map(\.address) == ["e/video/7.m4s", "e/video/8.m4s", "e/video/9.m4s"])
        #expect(segments.map(\.start) == [1_763_999_000, 1_763_999_002, 1_763_999_004])
        #expect(segments.last?.availableAt == 1_763_999_003.5)
    }

    /// Starts are what is known; a duration that reaches past the next start, or is nothing, gives way.
    @Test func segmentsNeverOverlap() throws {
        let timeline = Self.timeline((0, 100), (100, 100), (190, 100), (300, 0), (300, 50), (-5, 10))
        var writer = XMLWriter()
        timeline.write(into: &writer)
        #expect(timeline.start == 0 && timeline.end == 303)
        let lines = writer.text.split(separator: "\n").filter { $0.contains("<S ") }.map { $0.drop { $0 == " " } }
        #expect(
            lines == [
                "<S t=\"0\" d=\"100\"/>", "<S d=\"90\"/>", "<S d=\"100\"/>", "<S t=\"300\" d=\"1\"/>",
                "<S d=\"1\"/>", "<S d=\"1\"/>",
            ])
    }

    @Test(arguments: [
        (30.0, "30"), (29.97, "30000/1001"), (23.976, "24000/1001"), (59.94, "60000/1001"), (12.5, "12500/1000"),
        (0, nil), (.nan, nil), (.infinity, nil),
    ])
    func ratesAreRatios(_ rate: Double, _ text: String?) { #expect(Representation.ratio(rate) == text) }

    @Test func numbersThatAreNoneDoNotTrap() {
        for value in [Double.nan, .infinity, -.infinity, 1e300, -0.0004] {
            _ = XMLAttribute("x", seconds: value)
        }
        #expect(XMLAttribute("x", seconds: 3_600.0625).value == "PT3600.063S")
        for date in [Int64.min, .max, 0, -1] { _ = XMLAttribute("x", date: date) }
        #expect(XMLAttribute("x", date: -1).value == "1969-12-31T23:59:59.999Z")
        var timeline = SegmentTimeline()
        for start in [Int64.max, .max, 0, .min] { timeline.append(start: start, duration: .max) }
        _ = timeline.end
    }
}
