import Catalogue
import Foundation
import Glibc
import MediaCore
import MediaWorker

/// A title or track whose files can be moved to the media store.
protocol MovableRecord: CatalogueRecord {
    /// Returns whether images of it are about to be made, for which its file is needed.
    func awaitsImages(now: WallClockTime) -> Bool
}

extension AudioTrackRecord: MovableRecord {
    func awaitsImages(now: WallClockTime) -> Bool { false }

    /// The files of the track that are on this machine. Blocks.
    var localFiles: [String] { LocalFileList.existing([sourcePath, mediaPath, cover, uploadedCover, coverOfFile]) }
}

extension TitleRecord: MovableRecord {
    func awaitsImages(now: WallClockTime) -> Bool {
        guard videoCodec != nil, poster == nil || storyboard == nil else { return false }
        return now - WallClockTime(addedAt) < MediaMover.imagePeriod
    }

    /// The files of the title that are on this machine. Its ladder's manifest and its converted subtitles stay there:
    /// they are small, and they say what there is. Blocks.
    ///
    /// - Parameter ladders: the ladders of all titles.
    func localFiles(ladders: LadderStore) -> [String] {
        LocalFileList.existing([sourcePath, mediaPath, poster, uploadedPoster])
            + (storyboard.map(LocalFileList.files) ?? [])
            + ladders.folders(ofTitle: id).flatMap { folder in
                let manifest = ladders.manifest(in: folder)
                return LocalFileList.existing(
                    (manifest?.movies.map { folder.files.moviePath($0.rung) } ?? [])
                        + (manifest?.audio?.indices.map { folder.files.audioPath($0) } ?? []))
            }
    }
}

private enum LocalFileList {
    /// The paths of regular files, each once.
    static func existing(_ paths: [String?]) -> [String] {
        var seen: Set<String> = []
        return paths.compactMap(\.self).filter { seen.insert($0).inserted && isFile($0) }
    }

    /// The paths of the regular files directly in a folder.
    static func files(in folder: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return existing(names.map { "\(folder)/\($0)" })
    }

    private static func isFile(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }
}
