import LiveChannels
package import MediaCore

@testable import HLSDelivery

/// Names in tests. A text that is no name ends the test.
extension MediaName: ExpressibleByStringLiteral {
    package init(stringLiteral text: String) {
        guard let name = MediaName(text) else { preconditionFailure("\(text) is no name") }
        self = name
    }
}

/// Names of files in tests. A text that is no name ends the test.
extension MediaFileName: ExpressibleByStringLiteral {
    package init(stringLiteral text: String) {
        guard let name = MediaFileName(text) else { preconditionFailure("\(text) is no name of a file") }
        self = name
    }
}

/// One URL of each kind that the delivery serves. A new kind does not compile without a line here, and so is in every
/// test of who may watch.
package enum MediaPaths {
    /// - Parameters:
    ///   - title: the ID of a title.
    ///   - file: the name of a title's file.
    package static func all(title: String = "bunny", file: String = "a.mp4") -> [String] {
        let kinds: [MediaRequest.Resource] = [
            .playlist("playlist"), .manifest, .manifestPatch,
            .initializationSection(version: "r1", rendition: "audio", number: nil),
            .segment(version: "r1", rendition: "audio", number: 0),
            .part(epoch: "e", rendition: "audio", number: 1, index: 0),
            .transportStreamSegment(epoch: "r1", number: 0),
            .titleTransportStreamSegment(version: "r1", name: "ts-low", number: 0),
            .subtitleSegment(version: "s", rendition: "subtitles-es", number: 0), .subtitles(name: "subtitles-es"),
            .chapters, .key, .license, .file,
        ]
        return kinds.flatMap { kind in
            switch kind {
            case .playlist:
                [
                    "/live/canalA.stream/playlist.m3u8", "/live/canalA.stream/playlist.m3u8?format=ts",
                    "/live/canalA.stream/audio.m3u8?_HLS_msn=1&_HLS_part=0", "/vod/\(title)/playlist.m3u8",
                    "/vod/\(title)/audio.m3u8", "/vod/mp4:\(file)/playlist.m3u8",
                    "/vod/_definst_/mp4:\(file)/playlist.m3u8", "/radio/song/playlist.m3u8",
                ]
            case .manifest:
                [
                    "/live/canalA.stream/manifest.mpd", "/live/canalA.stream/manifest.mpd?ll=0",
                    "/vod/\(title)/manifest.mpd", "/vod/mp4:\(file)/manifest.mpd",
                    "/vod/_definst_/mp4:\(file)/manifest.mpd", "/radio/song/manifest.mpd",
                ]
            case .manifestPatch: ["/live/canalA.stream/manifest.mpp?publishTime=1795281600500"]
            case .initializationSection:
                ["/live/canalA.stream/e/audio/init-1.mp4", "/vod/\(title)/r1/audio/init.mp4"]
            case .segment:
                ["/live/canalA.stream/e/audio/1.m4s", "/vod/\(title)/r1/audio/0.m4s", "/radio/s/r/audio/0.m4s"]
            case .part: ["/live/canalA.stream/e/audio/1.0.m4s"]
            case .transportStreamSegment: ["/live/canalA.stream/e/ts/1.ts", "/vod/\(title)/r1/ts/0.ts"]
            case .titleTransportStreamSegment: ["/vod/\(title)/r1/ts-low/0.ts"]
            case .subtitleSegment: ["/vod/\(title)/s/subtitles-es/0.vtt"]
            case .subtitles: ["/vod/\(title)/subtitles-es.vtt"]
            case .chapters: ["/vod/\(title)/chapters.json"]
            case .key: ["/vod/\(title)/key?token=1-ab"]
            case .license: ["/vod/\(title)/license?token=1-ab", "/vod/mp4:\(file)/license?token=1-ab"]
            case .file: ["/radio/song/file"]
            }
        }
    }
}
