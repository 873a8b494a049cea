import Packaging
import ServerSettings

/// The judgement of the free space on a disk.
enum FreeSpace {
    /// About an hour of recording at 8 Mbit/s and some conversions.
    static let comfortableByteCount: Int64 = 5 << 30

    /// The finding about a folder that can otherwise be used.
    ///
    /// - Parameters:
    ///   - byteCount: the free bytes; `nil` if they cannot be determined.
    ///   - folder: the folder by its name and path.
    ///   - addition: what else is to be said about the folder, such as "; it is created".
    static func finding(_ byteCount: Int64?, in folder: String, addition: String = "") -> DoctorFinding {
        guard let byteCount else {
            return .warning(
                "the free space of \(folder) cannot be determined", remedy: "check the disk with: df -h")
        }
        let text = "\(folder) has \(ServeSummary.size(byteCount)) of free space\(addition)"
        let remedy = "remove files from the disk, or use a larger one"
        if byteCount < DiskFile.reservedByteCount {
            let reserve = ServeSummary.size(DiskFile.reservedByteCount)
            return .problem("\(text); below \(reserve), uploads and recordings are refused", remedy: remedy)
        }
        return byteCount < comfortableByteCount ? .warning(text, remedy: remedy) : .ok(text)
    }
}
