import Database

/// The published migrations of the community. They are never edited; a new column needs none, see `SQLColumn`.
enum CommunityMigrations {
    static let all = [
        CompetitionMigrations.migration, VideoMigrations.migration, MemberMigrations.migration,
        ModerationMigrations.migration, UploadMigrations.migration, MapMigrations.migration,
        ModerationMigrations.anonymityMigration, ModerationMigrations.releaseMigration,
    ]
}
