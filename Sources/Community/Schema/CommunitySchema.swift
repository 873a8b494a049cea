package import Database

/// The tables of the community. Times are milliseconds since 1970 in UTC. Members are named by the IDs of their accounts,
/// and titles by their row numbers; see `TitleRows`.
package enum CommunitySchema {
    package static let schema = SQLSchema(
        domain: "community", migrations: [CompetitionSchema.migration], tables: CompetitionSchema.tables,
        indexes: CompetitionSchema.indexes.map(\.name))
}
