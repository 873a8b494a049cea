import Foundation
import LiveChannels
import TestSupport
import Testing

@testable import Gateway
@testable import ServerSettings

struct MediaDirectoryTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory(label: "media") }

    private func configuration(_ media: String, by variable: Bool = false) throws -> ServerConfiguration {
        try ServerConfiguration(
            flags: variable ? [:] : [.media: media], environment: variable ? ["ANTENA_MEDIA": media] : [:])
    }

    @Test(arguments: [false, true])
    func aFolderThatSomebodyHasNamedHasToExist(byVariable: Bool) throws {
        let configuration = try configuration("\(folder.path)/missing", by: byVariable)
        let error = #expect(throws: SettingError.self) { try configuration.checkMediaDirectory() }
        let text = "\(try #require(error))"
        #expect(text.hasPrefix(byVariable ? "ANTENA_MEDIA " : "--media ") && text.contains("missing\": does not exist"))
        #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/missing"))
    }

    @Test func aFileIsNoMediaFolder() throws {
        let file = try folder.write("x", to: "film.mp4")
        let configuration = try configuration(file)
        let error = #expect(throws: SettingError.self) { try configuration.checkMediaDirectory() }
        #expect(error?.message == "is a file; name the folder that holds vod/ and audio/")
    }

    @Test func theDefaultIsCreated() throws {
        var configuration = ServerConfiguration()
        configuration.mediaDirectory = "\(folder.path)/media"
        try configuration.checkMediaDirectory()
        configuration.createDefaultMediaDirectory()
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: configuration.mediaDirectory).sorted() == [
                "audio", "vod",
            ])
        try configuration.checkMediaDirectory()
    }

    @Test func theCheckSaysWhatIsMissingAndWhatIsKept() throws {
        func summary(_ fields: String, _ configuration: ServerConfiguration) throws -> String {
            let text = """
                {"encrypt": true, "presets": {"low": {"width": 320, "height": 180, "frameRate": 25, "videoBitrate": 300000,
                "audioBitrate": 64000}}, "channels": [{"name": "a", "title": "A", "presets": ["low"],
                "defaultPreset": "low"\(fields)}]}
                """
            return ServeSummary(
                configuration: configuration, channelsFile: try ChannelsFile.parse(text.utf8, file: "x")
            ).text
        }
        var configuration = ServerConfiguration()
        configuration.mediaDirectory = "\(folder.path)/media"
        let absent = try summary("", configuration)
        #expect(absent.contains("media (does not exist; it is created)\n"))
        #expect(absent.contains("encrypt   all titles, except"))
        #expect(absent.contains("    time shift: off; ") && absent.contains("    recording: when started manually\n"))
        try FileManager.default.createDirectory(
            atPath: "\(configuration.mediaDirectory)/vod", withIntermediateDirectories: true)
        let text = try summary(
            #", "dvrWindow": "2h", "record": "always", "recordings": {"maximumBytes": 10737418240, "maximumAgeDays": 30}"#,
            configuration)
        #expect(text.contains("media (without audio/)\n"))
        #expect(text.contains("    time shift: viewers can go back by 2 h\n"))
        #expect(text.contains("    recording: every broadcast; at most 10 GiB and 30 days are kept\n"))
    }
}
