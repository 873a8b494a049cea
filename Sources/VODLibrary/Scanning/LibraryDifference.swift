/// What has changed between the catalogue and the folder.
struct LibraryDifference: Equatable {
    var added: [FoundFile] = []
    /// With the id of the record they had.
    var changed: [String: FoundFile] = [:]
    /// Ids whose file has gone.
    var vanished: [String] = []
    /// Ids whose job was cut off by a kill or a restart.
    var interrupted: [String] = []

    /// What the difference needs to know of a record.
    struct Known: Equatable {
        var id: String
        var revision: String
        var isFinal: Bool
    }

    /// - Parameters:
    ///   - known: the catalogue's records by file name.
    ///   - isBusy: whether a job for the id is queued or running.
    init(files: [FoundFile], known: [String: Known], isBusy: (String) -> Bool) {
        let names = Set(files.map(\.name))
        for file in files {
            guard let record = known[file.name] else {
                added.append(file)
                continue
            }
            if record.revision != file.revision {
                changed[record.id] = file
            } else if !record.isFinal, !isBusy(record.id) {
                interrupted.append(record.id)
            }
        }
        vanished = known.filter { !names.contains($0.key) }.map(\.value.id)
    }
}
