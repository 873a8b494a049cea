import Glibc
import MediaCore
import Packaging

/// A file that a worker is asked to make. The server alone decides its name and place.
struct WorkerOutput: Sendable, Hashable {
    /// Path below the job's folder; at most one folder deep.
    var name: String
    /// Absolute path of the place to which the server moves the finished file.
    var path: String
    var maximumByteCount: Int64
    /// False if the job can succeed without this file.
    var isRequired = true
}

extension WorkerRequest {
    /// The same request with every output in another folder, under the same name.
    func redirected(to folder: String) -> WorkerRequest {
        func moved(_ output: String) -> String { "\(folder)/\(FilePathText.name(of: output))" }
        var request = self
        request.task =
            switch task {
            case .probe: .probe
            case .toMovie(let output): .toMovie(output: moved(output))
            case .toTranscodedMovie(let output): .toTranscodedMovie(output: moved(output))
            case .toAudioMovie(let output): .toAudioMovie(output: moved(output))
            case .poster(let output, let width): .poster(output: moved(output), width: width)
            case .cover(let output): .cover(output: moved(output))
            case .slate(let output, let shape): .slate(output: moved(output), shape: shape)
            case .image(let work): .image(work.redirected(to: folder))
            case .ladder(let work): .ladder(work.redirected(to: folder))
            }
        return request
    }

    /// The folder in which the job's own folder is made: on the same disk as the final places of the outputs, so that
    /// they can be moved by renaming. `nil` for a task that writes nothing.
    var stagingParent: String? {
        switch task {
        case .ladder(let work): LadderFolder(path: work.folder).chunksPath
        default: task.outputFolder
        }
    }

    /// The folder below the job's own that the task needs, because workers may not make folders; `nil` for none. Waits
    /// for the disk.
    var stagingSubfolder: String? {
        switch task {
        case .toMovie(let output), .toTranscodedMovie(let output):
            access(ConvertedSubtitles.folder(ofMovieAt: output), F_OK) != 0
                ? nil : ConvertedSubtitles.folder(ofMovieAt: FilePathText.name(of: output))
        default: nil
        }
    }

    /// The files that the task makes.
    ///
    /// - Parameter cover: the type of cover art that the worker reports; `nil` for none.
    func outputs(cover: CoverType?) -> [WorkerOutput] {
        let limit = Int64(clamping: limits.fileByteCount)
        func output(_ path: String) -> WorkerOutput {
            WorkerOutput(name: FilePathText.name(of: path), path: path, maximumByteCount: limit)
        }
        switch task {
        case .probe: return []
        case .toMovie(let path), .toTranscodedMovie(let path):
            return ConvertedSubtitles.outputs(ofMovieAt: path) + [output(path)]
        case .toAudioMovie(let path), .poster(let path, _), .slate(let path, _): return [output(path)]
        case .cover(let path): return cover.map { [output("\(path).\($0.rawValue)")] } ?? []
        case .image(let work): return work.outputs(maximumByteCount: limit)
        case .ladder(let work): return work.outputs.map(output)
        }
    }
}

extension ImageWork {
    fileprivate func redirected(to folder: String) -> ImageWork {
        switch self {
        case .time(let output, let width, let seconds):
            .time(output: "\(folder)/\(FilePathText.name(of: output))", width: width, seconds: seconds)
        case .upload(let output, let width):
            .upload(output: "\(folder)/\(FilePathText.name(of: output))", width: width)
        case .square(let output, let side):
            .square(output: "\(folder)/\(FilePathText.name(of: output))", side: side)
        case .storyboard(_, let duration, let version):
            .storyboard(folder: folder, duration: duration, version: version)
        }
    }

    /// The files of the work. The sheets of a storyboard come first: once its index is in place, all of it is.
    fileprivate func outputs(maximumByteCount: Int64) -> [WorkerOutput] {
        switch self {
        case .time(let path, _, _), .upload(let path, _), .square(let path, _):
            return [WorkerOutput(name: FilePathText.name(of: path), path: path, maximumByteCount: maximumByteCount)]
        case .storyboard(let folder, _, _):
            let sheets = (1...Storyboard.maximumSheetCount).map { number in
                WorkerOutput(
                    name: Storyboard.sheetName(number), path: "\(folder)/\(Storyboard.sheetName(number))",
                    maximumByteCount: maximumByteCount, isRequired: number == 1)
            }
            let index = WorkerOutput(
                name: Storyboard.fileName, path: "\(folder)/\(Storyboard.fileName)", maximumByteCount: 1 << 20)
            return sheets + [index]
        }
    }
}

extension LadderWork {
    fileprivate func redirected(to folder: String) -> LadderWork {
        var work = self
        work.outputFolder = folder
        return work
    }
}
