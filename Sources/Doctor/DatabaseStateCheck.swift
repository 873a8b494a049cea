import Database

/// Checks that the database can be reached and used by this version of the program.
struct DatabaseStateCheck: DoctorCheck {
    let name = "database"
    let state: DatabaseState

    var finding: DoctorFinding {
        switch state {
        case .missing(let path): .ok("\(path) does not exist yet; it is created at the first start")
        case .ready(let address, _, isWritable: false, _):
            .problem(
                "\(address) can be read and not written by this user",
                remedy: "run as the server's user, or let it write the file and its folder")
        case .ready(let address, let count, _, _) where count > 0:
            .ok("\(address) can be used; the next start brings it to this program's version (\(count) migrations)")
        case .ready(let address, _, _, _): .ok("\(address) can be used and has this program's version")
        case .failed(let error): .problem(error.reason, remedy: Self.remedy(error.code))
        }
    }

    private static func remedy(_ code: SQLError.Code) -> String {
        switch code {
        case .unavailable, .outcomeUnknown: "start the database, and check its host, port and the network"
        case .newerSchema: "install the newer version of Antena, or restore a backup of the database"
        case .invalidAddress: "correct --database"
        case .damaged: "see docs/operations/database.md for restoring a backup"
        case .notWritable: "run as the server's user, or let it read and write the database"
        case .diskFull: "make room on the database's disk"
        case .constraint, .unexpectedValue, .failed: "run antena database check, which shows more"
        }
    }
}
