import Codecs
import Foundation
import LibAV
import MediaCore
import NIOCore
import TestSupport
import Testing

@testable import Transcoding

/// Pictures of key frames in every codec that publishers send.
@Suite struct KeyFramePictureTests {
    /// Bytes before the frame in a file of IVF: its header, and that of the frame.
    private static let ivfHeaderByteCount = 44

    /// One red frame, as an encoder makes it.
    private static func frame(
        _ codec: KeyFrame.Codec, size: String, filter: String = "null"
    ) async throws -> KeyFrame {
        let directory = try TemporaryDirectory(label: "key-frame")
        let (encoder, format): ([String], String) =
            switch codec {
            case .h264: (["libx264", "-bf", "2"], "h264")
            case .hevc: (["libx265", "-x265-params", "log-level=none"], "hevc")
            case .av1: (["libaom-av1", "-cpu-used", "8"], "obu")
            case .vp8: (["libvpx"], "ivf")
            case .vp9: (["libvpx-vp9"], "ivf")
            case .h263: (["h263"], "h263")
            }
        let path = try directory.file("frame")
        _ = try await ExternalTool("ffmpeg").run(
            [
                "-hide_banner", "-loglevel", "error", "-nostdin", "-f", "lavfi", "-i", "color=red:size=\(size)", "-vf",
                filter, "-frames:v", "1", "-pix_fmt", "yuv420p", "-c:v",
            ] + encoder + ["-f", format, path])
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        return KeyFrame(
            codec: codec, bytes: ByteBuffer(bytes: format == "ivf" ? bytes.dropFirst(ivfHeaderByteCount) : bytes))
    }

    /// The size of a picture, and the colour in its middle.
    private static func look(at jpeg: [UInt8]) async throws -> (size: String, color: [UInt8]) {
        let directory = try TemporaryDirectory(label: "picture")
        let path = try directory.file("picture.jpg")
        try Data(jpeg).write(to: URL(fileURLWithPath: path))
        let size = try await ExternalTool.ffprobe().run(
            ["-v", "error", "-show_entries", "stream=width,height", "-of", "csv=p=0", path])
        let pixel = try await ExternalTool("ffmpeg").run([
            "-v", "error", "-i", path, "-vf", "crop=2:2,scale=1:1", "-pix_fmt", "rgb24", "-f", "rawvideo", "-",
        ])
        return (size.text.trimmingCharacters(in: .whitespacesAndNewlines), Array(pixel.output))
    }

    @Test(arguments: KeyFrame.Codec.allCases) func everyCodecBecomesAPicture(_ codec: KeyFrame.Codec) async throws {
        try LibAVRuntime.load()
        let picture = try KeyFramePicture.jpeg(of: await Self.frame(codec, size: "704x576"))
        let seen = try await Self.look(at: picture)
        // H.263 has pixels of 12:11 at this size.
        #expect(seen.size == (codec == .h263 ? "480,360" : "480,392"))
        #expect(seen.color.count == 3 && seen.color[0] > 200 && seen.color[1] < 60 && seen.color[2] < 60)
    }

    @Test(arguments: [
        ("320x240", "setsar=2", "480,180"), ("160x120", "null", "160,120"), ("180x320", "null", "180,320"),
        ("1080x1920", "null", "270,480"),
    ]) func thePictureHasTheShapeOfTheVideo(_ size: String, _ filter: String, _ expected: String) async throws {
        try LibAVRuntime.load()
        let picture = try KeyFramePicture.jpeg(of: await Self.frame(.h264, size: size, filter: filter))
        #expect(try await Self.look(at: picture).size == expected)
    }

    @Test(arguments: KeyFrame.Codec.allCases) func garbageIsRefused(_ codec: KeyFrame.Codec) throws {
        try LibAVRuntime.load()
        for bytes in [[UInt8](repeating: 0xA5, count: 1_000), [0, 0, 0, 1], [1]] {
            #expect(throws: LibAVError.self) {
                try KeyFramePicture.jpeg(of: KeyFrame(codec: codec, bytes: ByteBuffer(bytes: bytes)))
            }
        }
    }

    @Test func onlyKeyFramesWithTheirParameterSetsAreTaken() throws {
        let unit = AccessUnit(
            decodeTime: 0, presentationTime: 0, isRandomAccessPoint: true, payload: .frame(ByteBuffer(bytes: [1, 2])))
        var other = unit
        other.isRandomAccessPoint = false
        #expect(KeyFrame(unit, nil, .vp8)?.bytes == ByteBuffer(bytes: [1, 2]))
        #expect(KeyFrame(other, nil, .vp8) == nil)
        #expect(KeyFrame(unit, nil) == nil)
        #expect(KeyFrame(unit, nil, .g722) == nil, "audio has no picture")
    }
}
