import Codecs
import LiveChannels
import Logging
import MediaCore
import NIOCore
import Packaging
import TestSupport

/// Parameter sets and configurations that tests publish with.
enum TestMedia {
    /// libx264 (core 164): `-f lavfi -i testsrc2=s=640x360:r=25 -profile:v high -bf 2 -g 25`
    static let video360 = h264(
        "6764001eacd940a02ff97011000003000100000300320f162d96", "68ebe3cb22c0")
    /// libx264 (core 164): `-f lavfi -i testsrc2=s=1280x720:r=30 -profile:v main -bf 0`
    static let video720 = h264("674d401fd9005005bb0110000003001000000303c0f1832480", "68ebc3cb20")
    /// x265 3.5: `-preset ultrafast`, `testsrc2=s=1920x1080:r=50`; see HEVCConfigurationTests.
    static let videoHEVC = hevc(
        "40010c01ffff01600000030090000003000003007b959409",
        "42010101600000030090000003000003007ba003c0801107cb965654a4c2f0168080000003008000001904", "4401c073c189")
    /// AAC-LC, 48 kHz, stereo.
    static let audioStereo = aac([0x11, 0x90])
    /// AAC-LC, 48 kHz, mono.
    static let audioMono = aac([0x11, 0x88])

    static let videoTrack = Track(id: 0, mediaType: .video, timescale: .video90kHz)
    static let audioTrack = Track(id: 1, mediaType: .audio, timescale: Timescale(48_000))

    static let publisher = Publisher(
        remoteAddress: "192.0.2.1:40000", userAgent: "Lavf60", transport: "RTSP/TCP", presetName: nil)

    static let presets = [
        QualityPreset(
            name: "low", width: 426, height: 240, frameRate: 24, videoBitRate: 400_000, audioBitRate: 64_000),
        QualityPreset(
            name: "medium", width: 854, height: 480, frameRate: 30, videoBitRate: 1_200_000, audioBitRate: 96_000),
    ]

    static func channelConfiguration(
        _ packaging: LivePackagingConfiguration = .init(), targetDuration: TargetDurationPolicy = .configured,
        publishing: PublishingPolicy = .init(), onLoss: LossPolicy = .init(), archive: ArchivePolicy = .init()
    ) -> ChannelConfiguration {
        ChannelConfiguration(
            name: "canalA", title: "Canal A", defaultPreset: "medium", presets: presets, packaging: packaging,
            targetDuration: targetDuration, publishing: publishing, onLoss: onLoss, archive: archive)
    }

    static func channel(
        clock: TestClock, store: (any ChannelStateStore)? = nil, packaging: LivePackagingConfiguration = .init(),
        targetDuration: TargetDurationPolicy = .configured, publishing: PublishingPolicy = .init(),
        onLoss: LossPolicy = .init(), transcoders: (any LiveTranscoderFactory)? = nil
    ) -> LiveChannel {
        LiveChannel(
            configuration: channelConfiguration(
                packaging, targetDuration: targetDuration, publishing: publishing, onLoss: onLoss),
            with: ChannelEquipment(store: store, transcoders: transcoders), clock: clock.wallClock, logger: silent)
    }

    static let silent = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    private static func h264(_ sequence: String, _ frame: String) -> CodecConfiguration {
        guard
            let configuration = try? H264Configuration(
                sequenceParameterSets: [bytes(sequence)], pictureParameterSets: [bytes(frame)])
        else { preconditionFailure("a test's parameter sets are wrong") }
        return .h264(configuration)
    }

    private static func hevc(_ video: String, _ sequence: String, _ frame: String) -> CodecConfiguration {
        guard
            let configuration = try? HEVCConfiguration(
                videoParameterSets: [bytes(video)], sequenceParameterSets: [bytes(sequence)],
                pictureParameterSets: [bytes(frame)])
        else { preconditionFailure("a test's parameter sets are wrong") }
        return .hevc(configuration)
    }

    private static func aac(_ audioSpecificConfig: [UInt8]) -> CodecConfiguration {
        guard let configuration = try? AACConfiguration(parsingAudioSpecificConfig: audioSpecificConfig) else {
            preconditionFailure("a test's AudioSpecificConfig is wrong")
        }
        return .aac(configuration)
    }

    private static func bytes(_ hexadecimal: String) -> [UInt8] {
        let digits = hexadecimal.compactMap(\.hexDigitValue)
        return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }
}
