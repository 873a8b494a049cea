import Glibc
package import Transcoding

/// The names of the files in a ladder's folder: the movies, and the chunks of which they are made.
package struct LadderFolder: Sendable, Hashable {
    package let path: String

    package init(path: String) { self.path = path }

    /// The folder of the chunks.
    package var chunksPath: String { "\(path)/chunks" }

    package func moviePath(_ rung: LadderRung) -> String { "\(path)/\(rung.name).mp4" }
    /// The path of a movie of audio.
    ///
    /// - Parameter number: its number among the ladder's.
    package func audioPath(_ number: Int) -> String { "\(path)/audio.\(number).mp4" }
    /// The path of a chunk.
    ///
    /// - Parameters:
    ///   - part: the part's name.
    ///   - rung: the rendition.
    package func chunkPath(_ part: String, _ rung: LadderRung) -> String {
        // Chunks with other parameters do not fit together.
        let lowering = rung.loweringCount.map { ".\($0)" } ?? ""
        return "\(chunksPath)/\(part).\(rung.name)\(lowering).mp4"
    }

    /// Returns whether a part has been encoded in all renditions. Waits for the disk.
    package func hasChunk(_ part: String, _ rungs: [LadderRung]) -> Bool {
        rungs.allSatisfy { access(chunkPath(part, $0), F_OK) == 0 }
    }
}
