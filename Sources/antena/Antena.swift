import APIContract
import ArgumentParser

struct Antena: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "antena",
        abstract: "A media library and live-channel streaming gateway.",
        version: "\(Product.name) \(Product.version)",
        subcommands: [
            Serve.self, Doctor.self, Status.self, Ingest.self, TitleCommand.self, TrackCommand.self,
            SeriesCommand.self, AlbumCommand.self, Delete.self,
            Transcode.self, Poster.self, Encrypt.self,
            Export.self,
            Record.self, RelayCommand.self, ClipCommand.self, MetadataCommand.self, Jobs.self, Reload.self,
            ConfigCommand.self,
            ChannelCommand.self, BroadcastCommand.self, DatabaseCommand.self,
            MediaCommand.self, UserCommand.self, MeCommand.self, InvitationCommand.self, TokenCommand.self,
            LinkCommand.self,
            PublishLinkCommand.self, AudienceCommand.self, TermsCommand.self, CreditsCommand.self, RentalCommand.self,
            DeviceCommand.self, DownloadCommand.self,
            SupportCommand.self, AnnouncementCommand.self, CompetitionCommand.self, ScoreCommand.self,
            VideoCommand.self,
            MemberCommand.self, ModerationCommand.self,
            ListCommand<AuditCommand>.self, EventsCommand.self, WebhookCommand.self, HashPassword.self,
        ])
}
