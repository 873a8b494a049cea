import Accounts
import Foundation
import LibAV
import Logging
import LogMetadata
import ServerSettings

/// Prepares the process, and says what is missing on the machine.
struct MachineSetUp {
    let logger: Logger

    /// The limits of the process.
    struct Machine {
        /// The number of files and connections that may be open.
        let openFileLimit: Int
    }

    /// - Parameter summary: what the server is started with.
    func prepare(_ summary: ServeSummary) -> Machine {
        let machine = Machine(openFileLimit: OpenFileLimit.raise())
        // A file size limit must fail one write, which the recording's state reports, and must not end the server.
        signal(SIGXFSZ, SIG_IGN)
        // A closed terminal must end neither the server nor a write to its pipe.
        signal(SIGHUP, SIG_IGN)
        signal(SIGPIPE, SIG_IGN)
        if ScryptParameters.ofThisBuild != .standard {
            logger.notice(
                "debug build is slow and hashes passwords with less work; use a release build in production")
        }
        let missing = LibAVRuntime.missingConfinement
        if !missing.isEmpty {
            logger.warning(
                "worker processes are not fully confined: the kernel lacks protections",
                metadata: [.missing: "\(missing.joined(separator: "; "))"])
        }
        for (channel, path) in summary.missingSlates {
            logger.warning(
                "slate file is missing or unreadable", metadata: [.channelName: "\(channel)", .file: "\(path)"])
        }
        summary.configuration.createDefaultMediaDirectory()
        return machine
    }
}
