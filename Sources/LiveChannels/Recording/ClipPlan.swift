import Foundation
import HLSPlaylist
import MediaCore
import NIOCore
import Packaging

/// The segments of a channel's window that form a clip, in memory and on disk. The plan keeps them available.
package struct ClipPlan: Sendable {
    /// The initialization sections, in the order of the file's tracks.
    let sections: [ByteBuffer]
    /// One segment per track in each row.
    let rows: [[Source?]]
    let folder: RecordingFolder
    /// The date of the first frame.
    let startDate: WallClockTime
    let title: String?
    let storage: ArchiveStorage

    struct Source: Sendable {
        var header: LiveSegmentHeader
        var duration: MediaTime
        var byteCount: Int
        var read: @Sendable () throws -> [ByteBuffer]
    }

    /// Maximum duration. A longer clip is a recording, and takes minutes to copy.
    package static let maximumDuration = Duration.seconds(4 * 3_600)

    var byteCount: Int { rows.joined().reduce(0) { $0 + ($1?.byteCount ?? 0) } }

    /// Makes the file. Waits for the disk.
    ///
    /// - Returns: the file's name in the library, and its title.
    /// - Throws: ``ClipError``; there is no file then.
    package func write() throws(ClipError) -> (name: String, title: String) {
        do {
            let (name, defaultTitle) = try folder.begin(at: startDate, kind: .clip)
            try checkFreeSpace()
            let path = "\(folder.path)/\(name)\(RecordingFolder.unfinishedSuffix)"
            do {
                let writer = try ArchiveMovieWriter(
                    path: path, sections: sections, title: title ?? defaultTitle, storage: storage)
                for row in rows { try write(row, with: writer) }
                try writer.synchronize()
                try folder.finish(name)
            } catch {
                unlink(path)
                throw error
            }
            return ("\(RecordingFolder.libraryPrefix)\(folder.channel)/\(name)", title ?? defaultTitle)
        } catch let error as ClipError {
            throw error
        } catch let error as MediaFileError {
            throw ClipError(.storage, "the clip cannot be written: \(String(cString: strerror(error.errno)))")
        } catch {
            throw ClipError(.storage, "the clip cannot be written: \(FileErrorText(error))")
        }
    }

    private func write(_ row: [Source?], with writer: ArchiveMovieWriter) throws {
        var segments: [ArchivableSegment?] = []
        for source in row {
            guard let source else {
                segments.append(nil)
                continue
            }
            segments.append(
                ArchivableSegment(
                    epoch: source.header.epoch, bytes: try source.read(), duration: source.duration,
                    date: source.header.programDateTime))
        }
        _ = try writer.append(segments)
    }

    private func checkFreeSpace() throws(ClipError) {
        guard let free = DiskFile.freeByteCount(ofFolder: folder.path),
            Int64(byteCount) > free - DiskFile.reservedByteCount
        else { return }
        throw ClipError(
            .storage,
            "no room for the clip: it takes \(byteCount >> 20) MiB, \(free >> 20) MiB are free, and Antena leaves "
                + "\(DiskFile.reservedByteCount >> 20) MiB free; make room and try again")
    }
}
