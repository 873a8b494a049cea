package import Accounts
package import Database
package import Logging
package import MediaCore
package import NIOCore
package import ServerSettings

/// The base on which the domains of a starting server are opened.
package struct Ground: Sendable {
    package let configuration: ServerConfiguration
    /// The file that the server is started with.
    package let channelsFile: ChannelsFile
    package let database: any SQLDatabase
    /// The watch of the database.
    package let changes: DatabaseChanges
    package let keys: ServerKeys
    /// Sends mail; `nil` for a server that sends none.
    package let mail: MailService?
    package let equipment: Equipment
    package let logger: Logger
    /// The copies of the database's state by which the server decides.
    package let stateCopies = StateCopies()

    /// The equipment that domains run on.
    package struct Equipment: Sendable {
        package let group: any EventLoopGroup
        /// Computes password hashes.
        package let hasher: PasswordHasher
        /// Whether the time of day can be relied on.
        package let steadiness: ClockSteadiness
        /// The time of day by which domains decide.
        package let wallClock: WallClock
        /// The time since some moment, which nobody sets.
        package let uptime: @Sendable () -> Duration

        package init(
            group: any EventLoopGroup, hasher: PasswordHasher, steadiness: ClockSteadiness,
            wallClock: WallClock = .system, uptime: @escaping @Sendable () -> Duration = ContinuousClock().elapsed()
        ) {
            (self.group, self.hasher, self.steadiness) = (group, hasher, steadiness)
            (self.wallClock, self.uptime) = (wallClock, uptime)
        }
    }

    package init(
        configuration: ServerConfiguration, channelsFile: ChannelsFile, database: any SQLDatabase,
        changes: DatabaseChanges, keys: ServerKeys, mail: MailService?, equipment: Equipment, logger: Logger
    ) {
        (self.configuration, self.channelsFile, self.database) = (configuration, channelsFile, database)
        (self.changes, self.keys, self.mail) = (changes, keys, mail)
        (self.equipment, self.logger) = (equipment, logger)
    }

    package var steadiness: ClockSteadiness { equipment.steadiness }
    package var wallClock: WallClock { equipment.wallClock }
}
