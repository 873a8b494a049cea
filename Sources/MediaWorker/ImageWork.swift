import LibAV
import MediaCore
import Transcoding

/// The images that a worker makes of a title, besides the automatic poster.
package enum ImageWork: Codable, Sendable, Equatable {
    /// Writes the frame at a time as JPEG, at most `width` pixels wide.
    case time(output: String, width: Int, seconds: Double)
    /// Writes an image file, JPEG or PNG, as JPEG of at most that width.
    case upload(output: String, width: Int)
    /// Writes the square in the middle of an image file, JPEG or PNG, as JPEG without metadata, with sides of that many
    /// pixels.
    case square(output: String, side: Int)
    /// Writes a ``Storyboard`` into a folder: the sheets first, then the index.
    ///
    /// - Parameter version: part of the sheets' addresses.
    case storyboard(folder: String, duration: Double, version: String)

    /// The allowed formats of the input: an image, or a movie.
    var formats: InputFile.Formats {
        switch self {
        case .upload, .square: .images
        case .time, .storyboard: .media
        }
    }

    var outputs: [String] {
        switch self {
        case .time(let output, _, _), .upload(let output, _), .square(let output, _): [output]
        case .storyboard(let folder, _, _): ["\(folder)/\(Storyboard.fileName)"]
        }
    }

    var outputFolder: String? {
        switch self {
        case .time(let output, _, _), .upload(let output, _), .square(let output, _):
            FilePathText.folder(of: output)
        case .storyboard(let folder, _, _): folder
        }
    }
}

extension WorkerTask {
    func carryOut(_ work: ImageWork) throws -> WorkerResult {
        let input = try openInput(formats: work.formats).file
        let description = MediaDescription(input)
        events.write(.probed(description))
        switch work {
        case .time(let output, let width, let seconds):
            try write(try PosterMaking(input).jpeg(width: width, atSeconds: seconds), to: output)
        case .upload(let output, let width):
            try write(try PosterMaking(input).jpegOfFirstFrame(width: width), to: output)
        case .square(let output, let side):
            try write(try PosterMaking(input).squareJPEGOfFirstFrame(side: side), to: output)
        case .storyboard(let folder, let duration, let version):
            try makeStoryboard(of: input, in: folder, duration: duration, version: version)
        }
        return WorkerResult(description: description)
    }

    private func makeStoryboard(
        of input: InputFile, in folder: String, duration: Double, version: String
    ) throws {
        guard let storyboard = Storyboard(duration: duration) else {
            throw LibAVError(.noMedia, file: input.name, "has no duration")
        }
        let layout = StoryboardMaking.Layout(
            maximumTileWidth: Storyboard.tileWidth, maximumTileHeight: Storyboard.maximumTileHeight,
            columnCount: Storyboard.columnCount, rowCount: Storyboard.rowCount)
        var sheetCount = 0
        let tile = try StoryboardMaking(input).make(times: storyboard.times, layout: layout) { bytes in
            sheetCount += 1
            try write(bytes, to: "\(folder)/\(Storyboard.sheetName(sheetCount))")
        } progress: {
            events.writeProgress($0)
        }
        let text = storyboard.webVTT(tileWidth: tile.width, tileHeight: tile.height, version: version)
        try write(Array(text.utf8), to: "\(folder)/\(Storyboard.fileName)")
    }

    private func write(_ bytes: [UInt8], to path: String) throws {
        try AtomicOutput.write(path) { try AtomicOutput.writeBytes(bytes, to: $0) }
    }
}

extension WorkerLimits {
    /// Limits for 600 key frames of 4K, or for decoding 3,000 frames up to the requested one, on a slow machine.
    package static let images = WorkerLimits(
        addressSpaceByteCount: 2 << 30, cpuSeconds: 300, fileByteCount: 64 << 20, wallClockSeconds: 900)
}
