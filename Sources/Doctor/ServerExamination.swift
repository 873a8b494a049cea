import Gateway
import JSONDocument
package import MediaCore
package import ServerSettings

/// The examination of `antena doctor`, without the terminal: it examines what a server needs on this machine.
///
/// Nothing is changed on the disk, nothing listens, and there is no connection but to the configured database.
package struct ServerExamination: Sendable {
    private let configuration: Result<ServerConfiguration, SettingError>
    private let now: WallClockTime
    private let edgeFiles: [String]

    /// - Parameters:
    ///   - flags: the flags of `antena serve` that were given.
    ///   - environment: the environment variables of the process.
    ///   - edgeFiles: the paths of configurations of nginx that keeps copies of media.
    ///   - now: the time now, with which the end of the certificate is compared.
    package init(
        flags: [ServerSetting: String], environment: [String: String], edgeFiles: [String] = [],
        now: WallClockTime = WallClock.system.now()
    ) {
        configuration = Result { () throws(SettingError) in
            try ServerConfiguration(flags: flags, environment: environment)
        }
        self.edgeFiles = edgeFiles
        self.now = now
    }

    /// Examines the machine; may block.
    package func run() async -> DoctorReport {
        switch configuration {
        case .success(let configuration): DoctorReport(await checks(configuration))
        // What the settings name is not known.
        case .failure(let error):
            DoctorReport([ConfigurationCheck(mistake: error.description)] + machineChecks(ladderEncoder: nil))
        }
    }

    private func checks(_ configuration: ServerConfiguration) async -> [any DoctorCheck] {
        let channelsFile = Result { () throws(JSONFileError) in try ChannelsFile.load(path: configuration.channelsFile)
        }
        let server = RunningServer.process(usingDataFolder: configuration.dataDirectory)
        let database = await DatabaseState.examine(DatabaseMaintenance.address(configuration))
        var checks: [any DoctorCheck] = [
            await ConfigurationCheck.examine(configuration), ChannelsFileCheck(configuration, channelsFile),
            MediaFolderCheck.examine(configuration),
            DataFolderCheck.examine(configuration.dataDirectory, server: server), DatabaseStateCheck(state: database),
        ]
        if configuration.isPublic { checks.append(AdministratorCheck(database)) }
        checks += PortCheck.examine(configuration, server: server)
        checks.append(CertificateCheck.examine(configuration, now: now))
        let ladder = (try? channelsFile.get()).flatMap { $0.ladder.isEmpty ? nil : $0.ladderEncoder }
        return checks + machineChecks(ladderEncoder: ladder)
    }

    private func machineChecks(ladderEncoder: String?) -> [any DoctorCheck] {
        [
            OpenFileCheck.examine(), ClockCheck.examine(), LibAVCheck.examine(ladderEncoder: ladderEncoder),
            PDFCheck.examine(), ConfinementCheck.examine(),
        ] + edgeFiles.map { EdgeConfigurationCheck.examine($0) }
    }
}
