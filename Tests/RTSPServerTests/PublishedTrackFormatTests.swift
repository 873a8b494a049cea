import Codecs
import MediaCore
import RTPTransport
import SessionDescription
import Testing

@testable import RTSPServer

/// Media descriptions in the forms that publishers write.
struct PublishedTrackFormatTests {
    static func format(_ media: String, _ attributes: String...) throws -> PublishedTrackFormat {
        let lines = ["v=0", "m=\(media)"] + attributes.map { "a=\($0)" }
        let session = try SDPSession(parsing: (lines.joined(separator: "\r\n") + "\r\n").utf8)
        return try PublishedTrackFormat(try #require(session.media.first))
    }

    static func usable(_ media: String, _ attributes: [String]) throws -> RTPTrackFormat {
        let lines = ["v=0", "m=\(media)"] + attributes.map { "a=\($0)" }
        let session = try SDPSession(parsing: (lines.joined(separator: "\r\n") + "\r\n").utf8)
        guard case .usable(let format, _) = try PublishedTrackFormat(try #require(session.media.first)) else {
            throw CancellationError()
        }
        return format
    }

    struct Foreign: Sendable, CustomTestStringConvertible {
        var media: String
        var attributes: [String]
        var codec: ForeignCodec
        var payload: RTPTrackFormat.Payload
        var testDescription: String { "\(media) \(attributes)" }
    }

    static let foreign = [
        // Static payload types, without an rtpmap.
        Foreign(
            media: "audio 0 RTP/AVP 0", attributes: [], codec: .pcmMuLaw(sampleRate: 8_000, channelCount: 1),
            payload: .pcmMuLaw(channelCount: 1)),
        Foreign(
            media: "audio 0 RTP/AVP 8", attributes: [], codec: .pcmALaw(sampleRate: 8_000, channelCount: 1),
            payload: .pcmALaw(channelCount: 1)),
        Foreign(media: "audio 0 RTP/AVP 9", attributes: [], codec: .g722, payload: .g722),
        Foreign(
            media: "audio 0 RTP/AVP 10", attributes: [], codec: .linearPCM(sampleRate: 44_100, channelCount: 2),
            payload: .linearPCM(channelCount: 2)),
        Foreign(
            media: "audio 0 RTP/AVP 11", attributes: [], codec: .linearPCM(sampleRate: 44_100, channelCount: 1),
            payload: .linearPCM(channelCount: 1)),
        Foreign(
            media: "audio 0 RTP/AVP 14", attributes: [], codec: .mpegAudio(sampleRate: 44_100, channelCount: 2),
            payload: .mpegAudio),
        Foreign(
            media: "audio 0 RTP/AVP 96", attributes: ["rtpmap:96 mpa-robust/90000"],
            codec: .mpegAudio(sampleRate: 44_100, channelCount: 2), payload: .robustMPEGAudio),
        Foreign(media: "video 0 RTP/AVP 34", attributes: [], codec: .h263, payload: .h263(.rfc2190)),
        // libstreaming's defaults; both tracks have payload type 96.
        Foreign(
            media: "video 5006 RTP/AVP 96", attributes: ["rtpmap:96 H263-1998/90000", "control:trackID=1"],
            codec: .h263, payload: .h263(.rfc4629)),
        Foreign(
            media: "audio 5004 RTP/AVP 96",
            attributes: ["rtpmap:96 AMR/8000", "fmtp:96 octet-align=1;", "control:trackID=0"],
            codec: .adaptiveMultiRate, payload: .adaptiveMultiRate(.octetAligned)),
        Foreign(
            media: "audio 0 RTP/AVP 97", attributes: ["rtpmap:97 amr/8000/1"], codec: .adaptiveMultiRate,
            payload: .adaptiveMultiRate(.bandwidthEfficient)),
        // Names are not case-sensitive.
        Foreign(
            media: "audio 0 RTP/AVP 97", attributes: ["rtpmap:97 l16/48000/2"],
            codec: .linearPCM(sampleRate: 48_000, channelCount: 2), payload: .linearPCM(channelCount: 2)),
        Foreign(media: "video 0 RTP/AVP 97", attributes: ["rtpmap:97 vp8/90000"], codec: .vp8, payload: .vp8),
        Foreign(media: "video 0 RTP/AVP 97", attributes: ["rtpmap:97 VP9/90000"], codec: .vp9, payload: .vp9),
    ]

    @Test(arguments: foreign)
    func knowsCodecsThatAreTranscoded(_ test: Foreign) throws {
        let format = try Self.usable(test.media, test.attributes)
        #expect(format.foreignCodec == test.codec)
        #expect(format.payload == test.payload)
        #expect(format.configuration == nil)
    }

    struct Native: Sendable, CustomTestStringConvertible {
        var attributes: [String]
        var rfc6381: String?
        var testDescription: String { attributes[0] }
    }

    static let audio = [
        // libstreaming omits the channel count.
        Native(
            attributes: [
                "rtpmap:96 mpeg4-generic/44100",
                "fmtp:96 streamtype=5; profile-level-id=15; mode=AAC-hbr; config=1208; SizeLength=13; IndexLength=3; "
                    + "IndexDeltaLength=3;",
            ], rfc6381: "mp4a.40.2"),
        // GStreamer's rtspclientsink, ffmpeg, and a configuration that arrives in band.
        Native(
            attributes: ["rtpmap:96 MP4A-LATM/44100", "fmtp:96 cpresent=0; config=40002420adca00"],
            rfc6381: "mp4a.40.2"),
        Native(
            attributes: [
                "rtpmap:96 MP4A-LATM/44100/1", "fmtp:96 profile-level-id=41;cpresent=0;config=400024103fc0",
            ], rfc6381: "mp4a.40.2"),
        Native(attributes: ["rtpmap:96 mp4a-latm/90000", "fmtp:96 cpresent=1"], rfc6381: nil),
        Native(attributes: ["rtpmap:96 OPUS/48000/2", "fmtp:96 sprop-stereo=1"], rfc6381: "opus"),
    ]

    @Test(arguments: audio)
    func knowsAudioThatPlayersTake(_ test: Native) throws {
        let format = try Self.usable("audio 0 RTP/AVP 96", test.attributes)
        #expect(format.configuration?.rfc6381 == test.rfc6381)
        #expect(format.foreignCodec == nil)
    }

    static let video = [
        Native(attributes: ["rtpmap:96 h264/90000"], rfc6381: nil),
        Native(
            attributes: [
                "rtpmap:96 H264/90000", "fmtp:96 packetization-mode=1;sprop-parameter-sets=Z0LAHtkBQHsg,aMuMsg==",
            ], rfc6381: "avc1.42c01e"),
        Native(attributes: ["rtpmap:96 H265/90000"], rfc6381: nil),
        Native(
            attributes: [
                "rtpmap:96 H265/90000",
                "fmtp:96 sprop-vps=QAEMAf//AWAAAAMAkAAAAwAAAwA/ugJA;"
                    + "sprop-sps=QgEBAWAAAAMAkAAAAwAAAwA/oAUCAXHyZbpKTheAtAQAAAMABAAAAwBgIA==;sprop-pps=RAHAc8GJ",
            ], rfc6381: "hvc1.1.6.L63.90"),
        Native(attributes: ["rtpmap:96 AV1/90000", "fmtp:96 profile=0;level-idx=8;tier=0"], rfc6381: nil),
    ]

    @Test(arguments: video)
    func knowsVideoThatPlayersTake(_ test: Native) throws {
        let format = try Self.usable("video 0 RTP/AVP 96", test.attributes)
        #expect(format.configuration?.rfc6381 == test.rfc6381)
        #expect(format.foreignCodec == nil)
    }

    @Test func readsHowUnitsAreInterleaved() throws {
        let h264 = try Self.usable(
            "video 0 RTP/AVP 96",
            ["rtpmap:96 H264/90000", "fmtp:96 packetization-mode=2;sprop-interleaving-depth=4;sprop-max-don-diff=9"])
        #expect(h264.payload == .h264(nil, interleaving: NALUnitInterleaving(depth: 4, maximumDifference: 9)))
        let hevc = try Self.usable(
            "video 0 RTP/AVP 96",
            ["rtpmap:96 H265/90000", "fmtp:96 sprop-max-don-diff=3;sprop-depack-buf-nalus=2"])
        #expect(hevc.payload == .hevc(nil, interleaving: NALUnitInterleaving(depth: 2, maximumDifference: 3)))
    }

    @Test(
        arguments: [
            ("video 0 RTP/AVP 26", [], "send H.264, HEVC"), ("video 0 RTP/AVP 33", [], "MP2T"),
            ("audio 0 RTP/AVP 96", ["rtpmap:96 vorbis/48000/2"], "send AAC, Opus"),
            ("audio 0 RTP/AVP 96", ["rtpmap:96 AMR-WB/16000"], "AMR-WB"),
            ("audio 0 RTP/AVP 96", ["rtpmap:96 AMR/8000", "fmtp:96 octet-align=1;crc=1"], "CRC"),
            ("audio 0 RTP/AVP 96", ["rtpmap:96 L16/44100/200"], "200 channels"),
            ("audio 0 RTP/AVP 96", ["rtpmap:96 MP4A-LATM/44100", "fmtp:96 cpresent=0"], "neither"),
            ("audio 0 RTP/AVP 96", ["rtpmap:96 MP4A-LATM/44100", "fmtp:96 cpresent=0;config=xx"], "config"),
            ("audio 0 RTP/AVP 96", [], "no usable rtpmap"),
        ] as [(String, [String], String)])
    func refusesInWords(_ media: String, _ attributes: [String], _ words: String) throws {
        do {
            _ = try Self.usable(media, attributes)
            Issue.record("accepted")
        } catch let error as PublishedTrackFormat.Unsupported {
            #expect(error.description.contains(words), "\(error)")
        }
    }

    @Test func ignoresWhatIsNeitherAudioNorVideo() throws {
        #expect(try Self.format("application 0 RTP/AVP 98", "rtpmap:98 vnd.onvif.metadata/90000") == .ignored)
    }
}
