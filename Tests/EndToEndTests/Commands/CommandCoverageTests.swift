import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// Whether the command line can do what the API can, and whether programs can read its answers.
    @Suite struct CommandCoverageTests {
        /// The counterpart of an API operation on the command line: a command, or the reason why there is none.
        private enum Way {
            case command(String)
            case none(reason: String)
        }

        private static let forPrograms = "is for programs, which speak HTTP themselves"
        private static let onPages = "is read and done on the pages of the community, and by apps"
        private static let playing = "is what a player writes and reads, for a session only"
        private static let talking = "is between people, on a page, for a session only"
        private static let loggingIn = "is what a browser or a television does to log in"

        private static let ways: [String: Way] = [
            "GET /api/v1/channels": .command("status"), "GET /api/v1/channels/{name}": .command("status"),
            "POST /api/v1/channels/{name}/metadata": .command("metadata"),
            "POST /api/v1/channels/{name}/recording": .command("record"),
            "POST /api/v1/channels/{name}/clips": .command("clip"),
            "GET /api/v1/channels/{name}/relays": .command("relay list"),
            "POST /api/v1/channels/{name}/relays/{id}": .command("relay start"),
            "GET /api/v1/presets": .command("config show"),
            "GET /api/v1/series": .command("series list"), "GET /api/v1/series/{id}": .command("series show"),
            "GET /api/v1/series/{id}/titles": .command("series show"),
            "GET /api/v1/albums": .command("album list"), "GET /api/v1/albums/{id}": .command("album show"),
            "GET /api/v1/albums/{id}/tracks": .command("album show"),
            "GET /api/v1/artists": .command("album artists"),
            "GET /api/v1/genres": .command("title genres"), "GET /api/v1/catalogue": .command("title export"),
            "POST /api/v1/catalogue": .command("title import"), "GET /api/v1/titles": .command("title list"),
            "POST /api/v1/titles": .command("ingest"),
            "GET /api/v1/titles/{id}": .command("title show"),
            "PUT /api/v1/titles/{id}": .none(reason: "curl -T does it; a command names files of the machine (ingest)"),
            "DELETE /api/v1/titles/{id}": .command("delete"), "PATCH /api/v1/titles/{id}": .command("encrypt"),
            "GET /api/v1/titles/{id}/audience": .command("audience"),
            "PATCH /api/v1/titles/{id}/audience": .command("audience"),
            "GET /api/v1/tracks/{id}/audience": .command("audience"),
            "PATCH /api/v1/tracks/{id}/audience": .command("audience"),
            "DELETE /api/v1/channels/{name}/publisher": .command("channel disconnect"),
            "PUT /api/v1/configuration/channels/{name}/cover": .command("channel cover"),
            "DELETE /api/v1/configuration/channels/{name}/cover": .command("channel cover"),
            "PUT /api/v1/tracks/{id}/cover": .command("track cover"),
            "DELETE /api/v1/tracks/{id}/cover": .command("track cover"),
            "GET /api/v1/titles/{id}/details": .command("title show"),
            "PATCH /api/v1/titles/{id}/details": .command("title set"),
            "PUT /api/v1/titles/{id}/poster": .command("poster"),
            "DELETE /api/v1/titles/{id}/poster": .command("poster"),
            "GET /api/v1/titles/{id}/transcode": .command("transcode"),
            "POST /api/v1/titles/{id}/transcode": .command("transcode"),
            "DELETE /api/v1/titles/{id}/transcode": .command("transcode"),
            "GET /api/v1/tracks": .command("track list"), "GET /api/v1/tracks/{id}": .command("track show"),
            "DELETE /api/v1/tracks/{id}": .command("track delete"),
            "GET /api/v1/tracks/{id}/details": .command("track show"),
            "PATCH /api/v1/tracks/{id}/details": .command("track set"),
            "GET /api/v1/jobs": .command("jobs list"), "GET /api/v1/jobs/{id}": .command("jobs list"),
            "GET /api/v1/jobs/events": .none(reason: "\"events\" prints the events of jobs, too"),
            "PATCH /api/v1/jobs/{id}": .command("jobs prioritize"),
            "DELETE /api/v1/jobs/{id}": .command("jobs cancel"),
            "POST /api/v1/jobs/{id}/cancel": .command("jobs cancel"),
            "POST /api/v1/jobs/{id}/retry": .command("jobs retry"),
            "GET /api/v1/events": .command("events"),
            "OPTIONS /api/v1/uploads": .none(reason: forPrograms), "POST /api/v1/uploads": .none(reason: forPrograms),
            "OPTIONS /api/v1/uploads/{id}": .none(reason: forPrograms),
            "HEAD /api/v1/uploads/{id}": .none(reason: forPrograms),
            "PATCH /api/v1/uploads/{id}": .none(reason: forPrograms),
            "DELETE /api/v1/uploads/{id}": .none(reason: forPrograms),
            "POST /api/v1/uploads/{id}": .none(reason: forPrograms),
            "GET /api/v1/about": .command("status"), "POST /api/v1/reload": .command("reload"),
            "GET /api/v1/configuration": .command("config show"),
            "PATCH /api/v1/configuration": .command("config set"),
            "GET /api/v1/configuration/channels/{name}": .command("channel show"),
            "PUT /api/v1/configuration/channels/{name}": .command("channel add"),
            "PATCH /api/v1/configuration/channels/{name}": .command("channel set"),
            "DELETE /api/v1/configuration/channels/{name}": .command("channel remove"),
            "GET /api/v1/media-store": .command("media status"),
            "POST /api/v1/media-store/move": .command("media move"),
            "POST /api/v1/media-store/verify": .command("media verify"),
            "GET /api/v1/library/misplaced": .command("status"),
            "GET /api/v1/session": .none(reason: loggingIn), "POST /api/v1/session": .command("me log-in"),
            "DELETE /api/v1/session": .command("me log-out"),
            "GET /api/v1/session/providers": .none(reason: loggingIn),
            "POST /api/v1/session/second-factor": .command("me log-in"),
            "POST /api/v1/device": .none(reason: loggingIn), "POST /api/v1/device/token": .none(reason: loggingIn),
            "GET /api/v1/users": .command("user list"), "POST /api/v1/users": .command("user add"),
            "GET /api/v1/users/{name}": .command("user list"), "PATCH /api/v1/users/{name}": .command("user role"),
            "DELETE /api/v1/users/{name}": .command("user remove"),
            "PUT /api/v1/users/{name}/channels/{channel}": .command("user grant"),
            "POST /api/v1/users/{name}/password-link": .command("user password"),
            "DELETE /api/v1/users/{name}/second-factor": .command("user remove-second-factor"),
            "GET /api/v1/users/{name}/photo": .none(reason: "is an image for pages"),
            "GET /api/v1/channels/{name}/publish-links": .command("publish-link list"),
            "POST /api/v1/channels/{name}/publish-links": .command("publish-link create"),
            "DELETE /api/v1/channels/{name}/publish-links/{id}": .command("publish-link revoke"),
            "GET /api/v1/titles/{id}/offer": .command("me offer"),
            "GET /api/v1/titles/{id}/trailer": .none(reason: "is what a player asks for"),
            "GET /api/v1/titles/{id}/terms": .command("terms"), "PATCH /api/v1/titles/{id}/terms": .command("terms"),
            "POST /api/v1/titles/{id}/rentals": .command("me rent"),
            "PUT /api/v1/titles/{id}/vote": .command("me vote"),
            "GET /api/v1/me/rentals": .command("me rental list"), "GET /api/v1/me/credits": .command("me credits"),
            "GET /api/v1/me/credits.csv": .command("me credits"),
            "GET /api/v1/users/{name}/credits.csv": .command("credits show"),
            "GET /api/v1/users/{name}/rentals": .command("rental list"),
            "GET /api/v1/users/{name}/credits": .command("credits show"),
            "POST /api/v1/users/{name}/credits": .command("credits add"),
            "POST /api/v1/credits/{id}/reversal": .command("credits reverse"),
            "GET /api/v1/credits/check": .command("credits check"),
            "GET /api/v1/me/positions": .none(reason: playing),
            "GET /api/v1/me/positions/{kind}/{id}": .none(reason: playing),
            "PUT /api/v1/me/positions/{kind}/{id}": .none(reason: playing),
            "DELETE /api/v1/me/positions/{kind}/{id}": .none(reason: playing),
            "GET /api/v1/me/contacts": .none(reason: talking),
            "GET /api/v1/me/contacts/{name}": .none(reason: talking),
            "DELETE /api/v1/me/contacts/{name}": .none(reason: talking),
            "GET /api/v1/me/contact-search": .none(reason: talking),
            "GET /api/v1/me/contact-settings": .none(reason: talking),
            "PATCH /api/v1/me/contact-settings": .none(reason: talking),
            "GET /api/v1/me/contact-invitations": .none(reason: talking),
            "POST /api/v1/me/contact-invitations": .none(reason: talking),
            "GET /api/v1/me/contact-invitations/{id}": .none(reason: talking),
            "DELETE /api/v1/me/contact-invitations/{id}": .none(reason: talking),
            "POST /api/v1/me/contact-invitations/{id}/answer": .none(reason: talking),
            "GET /api/v1/me/conversations": .none(reason: talking),
            "POST /api/v1/me/conversations": .none(reason: talking),
            "DELETE /api/v1/me/conversations": .none(reason: talking),
            "GET /api/v1/me/conversations/badges": .none(reason: talking),
            "GET /api/v1/me/conversations/search": .none(reason: talking),
            "GET /api/v1/me/conversations/events": .none(reason: talking),
            "GET /api/v1/me/conversations/{id}": .none(reason: talking),
            "PATCH /api/v1/me/conversations/{id}": .none(reason: talking),
            "DELETE /api/v1/me/conversations/{id}": .none(reason: talking),
            "POST /api/v1/me/conversations/{id}/answer": .none(reason: talking),
            "PUT /api/v1/me/conversations/{id}/marks": .none(reason: talking),
            "GET /api/v1/me/conversations/{id}/members": .none(reason: talking),
            "PUT /api/v1/me/conversations/{id}/members/{member}": .none(reason: talking),
            "PATCH /api/v1/me/conversations/{id}/members/{member}": .none(reason: talking),
            "DELETE /api/v1/me/conversations/{id}/members/{member}": .none(reason: talking),
            "GET /api/v1/me/conversations/{id}/messages": .none(reason: talking),
            "GET /api/v1/me/conversations/{id}/changes": .none(reason: talking),
            "POST /api/v1/me/conversations/{id}/messages": .none(reason: talking),
            "DELETE /api/v1/me/conversations/{id}/messages/{sequence}": .none(reason: talking),
            "POST /api/v1/support-messages": .none(reason: "is what visitors do, on a page"),
            "GET /api/v1/titles/{id}/scores.vtt": .none(reason: "is what a player asks for"),
            "GET /api/v1/me/hidden-results": .none(reason: playing),
            "PUT /api/v1/me/hidden-results": .none(reason: playing),
            "PUT /api/v1/me/watched-matches/{id}": .none(reason: playing),
            "GET /api/v1/match-rules": .command("score rules"),
            "GET /api/v1/players": .command("score player list"), "POST /api/v1/players": .command("score player add"),
            "GET /api/v1/players/{id}": .command("score player show"),
            "PATCH /api/v1/players/{id}": .command("score player set"),
            "DELETE /api/v1/players/{id}": .command("score player delete"),
            "POST /api/v1/players/import": .command("score player import"),
            "GET /api/v1/players/{id}/photo": .none(reason: "is an image for pages"),
            "PUT /api/v1/players/{id}/photo": .command("score player photo"),
            "DELETE /api/v1/players/{id}/photo": .command("score player photo"),
            "GET /api/v1/matches": .command("score list"), "POST /api/v1/matches": .command("score new"),
            "POST /api/v1/match-results/mails": .command("score mail"),
            "GET /api/v1/match-results/changes": .none(
                reason: "\"events --types score\" prints the same as it happens"),
            "GET /api/v1/players/{id}/statistics": .command("score statistics"),
            "GET /api/v1/matches/{id}": .command("score show"), "DELETE /api/v1/matches/{id}": .command("score delete"),
            "GET /api/v1/matches/{id}/events": .command("score log"),
            "POST /api/v1/matches/{id}/events": .command("score event"),
            "GET /api/v1/matches/{id}/timeline": .none(reason: forPrograms),
            "GET /api/v1/channels/{name}/scoreboard": .command("score board"),
            "GET /api/v1/me/strategies": .command("score strategy list"),
            "POST /api/v1/me/strategies": .none(reason: "is what somebody has drawn on a page"),
            "GET /api/v1/me/strategies/{id}": .command("score strategy show"),
            "PATCH /api/v1/me/strategies/{id}": .none(reason: "is what somebody has drawn on a page"),
            "DELETE /api/v1/me/strategies/{id}": .command("score strategy delete"),
            "GET /api/v1/channels/{name}/strategy": .none(reason: forPrograms),
            "PUT /api/v1/channels/{name}/strategy": .command("score strategy display"),
            "DELETE /api/v1/channels/{name}/strategy": .command("score strategy hide"),
            "GET /api/v1/announcements": .command("announcement list"),
            "GET /api/v1/announcements/current": .command("announcement list"),
            "POST /api/v1/announcements": .command("announcement add"),
            "GET /api/v1/announcements/{id}": .command("announcement show"),
            "PATCH /api/v1/announcements/{id}": .command("announcement set"),
            "DELETE /api/v1/announcements/{id}": .command("announcement delete"),
            "GET /api/v1/support-messages": .command("support list"),
            "GET /api/v1/support-messages/{id}": .command("support show"),
            "DELETE /api/v1/support-messages/{id}": .command("support delete"),
            "GET /api/v1/competitions": .command("competition list"),
            "POST /api/v1/competitions": .command("competition create"),
            "GET /api/v1/competitions/{id}": .command("competition show"),
            "PATCH /api/v1/competitions/{id}": .command("competition set"),
            "DELETE /api/v1/competitions/{id}": .command("competition delete"),
            "GET /api/v1/competitions/{id}/standings": .command("competition standings"),
            "PUT /api/v1/competitions/{id}/standings": .command("competition standings"),
            "GET /api/v1/competitions/{id}/image": .none(reason: "is an image for pages"),
            "PUT /api/v1/competitions/{id}/image": .command("competition image"),
            "DELETE /api/v1/competitions/{id}/image": .command("competition image"),
            "GET /api/v1/competitions/{id}/map": .command("competition map"),
            "PUT /api/v1/competitions/{id}/map": .command("competition map"),
            "DELETE /api/v1/competitions/{id}/map": .command("competition map"),
            "GET /api/v1/competitions/{id}/map/image": .none(reason: "is an image for pages"),
            "PUT /api/v1/competitions/{id}/follow": .none(reason: onPages),
            "DELETE /api/v1/competitions/{id}/follow": .none(reason: onPages),
            "GET /api/v1/me/competitions": .none(reason: onPages),
            "GET /api/v1/competitions.ics": .none(reason: "is for calendar programs"),
            "GET /api/v1/competitions/{id}/calendar.ics": .none(reason: "is for calendar programs"),
            "POST /api/v1/payments": .none(reason: forPrograms),
            "GET /api/v1/rentals/{id}": .command("rental show"),
            "POST /api/v1/rentals/{id}/activation": .command("me rental start"),
            "POST /api/v1/rentals/{id}/refund": .command("rental refund"),
            "GET /api/v1/rentals/{id}/download": .command("download start"),
            "GET /api/v1/rentals/{id}/poster": .command("download start"),
            "GET /api/v1/rentals/{id}/copies/{rendition}/key": .command("download play"),
            "PUT /api/v1/rentals/{id}/copies/{rendition}/state": .command("download start"),
            "GET /api/v1/me/devices": .command("device list"), "POST /api/v1/me/devices": .command("device add"),
            "DELETE /api/v1/me/devices/{id}": .command("device remove"),
            "GET /api/v1/links": .command("link list"), "POST /api/v1/links": .command("link create"),
            "DELETE /api/v1/links/{id}": .command("link revoke"),
            "GET /api/v1/webhooks": .command("webhook list"), "POST /api/v1/webhooks": .command("webhook add"),
            "GET /api/v1/webhooks/{id}": .command("webhook show"),
            "PATCH /api/v1/webhooks/{id}": .command("webhook set"),
            "DELETE /api/v1/webhooks/{id}": .command("webhook remove"),
            "POST /api/v1/webhooks/{id}/secret": .command("webhook rotate"),
            "POST /api/v1/webhooks/{id}/test": .command("webhook test"),
            "GET /api/v1/webhooks/{id}/deliveries": .command("webhook log"),
            "POST /api/v1/webhooks/{id}/deliveries/{delivery}/replay": .command("webhook replay"),
            "GET /api/v1/me/uploads": .command("me video list"), "POST /api/v1/me/uploads": .command("me video send"),
            "OPTIONS /api/v1/me/uploads": .none(reason: forPrograms),
            "OPTIONS /api/v1/me/uploads/{id}": .none(reason: forPrograms),
            "GET /api/v1/me/uploads/{id}": .command("me video list"),
            "HEAD /api/v1/me/uploads/{id}": .command("me video send"),
            "PATCH /api/v1/me/uploads/{id}": .command("me video send"),
            "POST /api/v1/me/uploads/{id}": .none(reason: forPrograms),
            "DELETE /api/v1/me/uploads/{id}": .command("me video delete"),
            "PUT /api/v1/me/uploads/{id}/video": .command("me video publish"),
            "PUT /api/v1/me/uploads/{id}/poster": .none(reason: onPages),
            "GET /api/v1/videos": .command("video list"), "POST /api/v1/videos": .command("video publish"),
            "GET /api/v1/videos/{id}": .command("video show"), "PATCH /api/v1/videos/{id}": .command("video set"),
            "DELETE /api/v1/videos/{id}": .command("video withdraw"),
            "PUT /api/v1/videos/{id}/like": .none(reason: onPages),
            "DELETE /api/v1/videos/{id}/like": .none(reason: onPages),
            "GET /api/v1/videos/{id}/likes": .none(reason: onPages),
            "GET /api/v1/videos/{id}/comments": .none(reason: onPages),
            "POST /api/v1/videos/{id}/comments": .none(reason: onPages),
            "PATCH /api/v1/comments/{id}": .none(reason: onPages),
            "DELETE /api/v1/comments/{id}": .none(reason: onPages),
            "GET /api/v1/comments/{id}/replies": .none(reason: onPages),
            "POST /api/v1/comments/{id}/approval": .none(reason: onPages),
            "PUT /api/v1/videos/{id}/report": .none(reason: onPages),
            "DELETE /api/v1/videos/{id}/report": .none(reason: onPages),
            "POST /api/v1/videos/{id}/appeal": .none(reason: onPages),
            "PUT /api/v1/comments/{id}/report": .none(reason: onPages),
            "DELETE /api/v1/comments/{id}/report": .none(reason: onPages),
            "POST /api/v1/comments/{id}/appeal": .none(reason: onPages),
            "GET /api/v1/topics/categories": .none(reason: onPages),
            "POST /api/v1/topics/categories": .none(reason: onPages),
            "PATCH /api/v1/topics/categories/{id}": .none(reason: onPages),
            "DELETE /api/v1/topics/categories/{id}": .none(reason: onPages),
            "PUT /api/v1/topics/categories/{id}/follow": .none(reason: onPages),
            "GET /api/v1/topics": .none(reason: onPages),
            "POST /api/v1/topics": .none(reason: onPages),
            "GET /api/v1/topics/search": .none(reason: onPages),
            "GET /api/v1/topics/{id}": .none(reason: onPages),
            "PATCH /api/v1/topics/{id}": .none(reason: onPages),
            "DELETE /api/v1/topics/{id}": .none(reason: onPages),
            "GET /api/v1/topics/{id}/comments": .none(reason: onPages),
            "POST /api/v1/topics/{id}/comments": .none(reason: onPages),
            "GET /api/v1/topics/comments/{id}": .none(reason: onPages),
            "PATCH /api/v1/topics/comments/{id}": .none(reason: onPages),
            "DELETE /api/v1/topics/comments/{id}": .none(reason: onPages),
            "PUT /api/v1/topics/comments/{id}/report": .none(reason: onPages),
            "DELETE /api/v1/topics/comments/{id}/report": .none(reason: onPages),
            "POST /api/v1/topics/comments/{id}/appeal": .none(reason: onPages),
            "GET /api/v1/topics/follows": .none(reason: onPages),
            "PUT /api/v1/topics/follow": .none(reason: onPages),
            "PUT /api/v1/topics/{id}/follow": .none(reason: onPages),
            "GET /api/v1/topics/rules": .none(reason: onPages),
            "PUT /api/v1/topics/rules": .none(reason: onPages),
            "PUT /api/v1/topics/rules/acceptance": .none(reason: onPages),
            "GET /api/v1/members": .command("member list"),
            "GET /api/v1/me/profile": .command("me profile"), "PATCH /api/v1/me/profile": .command("me profile"),
            "GET /api/v1/me/activities": .command("me activities"),
            "GET /api/v1/users/{name}/profile": .command("member show"),
            "PUT /api/v1/users/{name}/block": .command("me block"),
            "DELETE /api/v1/users/{name}/block": .command("me block"),
            "PUT /api/v1/users/{name}/mute": .command("me mute"),
            "DELETE /api/v1/users/{name}/mute": .command("me mute"),
            "GET /api/v1/me/blocks": .command("me block"), "GET /api/v1/me/mutes": .command("me mute"),
            "PUT /api/v1/users/{name}/report": .none(reason: onPages),
            "DELETE /api/v1/users/{name}/report": .none(reason: onPages),
            "POST /api/v1/me/profile/appeal": .none(reason: onPages),
            "GET /api/v1/me/warnings": .command("me warnings"),
            "POST /api/v1/moderation/{kind}/{id}/warning": .command("moderation warn"),
            "POST /api/v1/moderation/{kind}/{id}/suspension": .command("moderation suspend"),
            "PUT /api/v1/users/{name}/follow": .none(reason: onPages),
            "DELETE /api/v1/users/{name}/follow": .none(reason: onPages),
            "GET /api/v1/users/{name}/followers": .none(reason: onPages),
            "GET /api/v1/users/{name}/followings": .none(reason: onPages),
            "GET /api/v1/me/feed": .none(reason: onPages),
            "GET /api/v1/me/notifications": .command("me notifications list"),
            "POST /api/v1/me/notifications/read": .command("me notifications read"),
            "GET /api/v1/me/notifications/preferences": .command("me notifications preferences"),
            "PUT /api/v1/me/notifications/preferences": .command("me notifications preferences"),
            "PATCH /api/v1/me/notifications/preferences": .command("me notifications preferences"),
            "GET /api/v1/me/notifications/events": .none(reason: "is for devices that show a badge"),
            "GET /api/v1/me/push-subscriptions": .none(reason: "is for browsers"),
            "POST /api/v1/me/push-subscriptions": .none(reason: "is for browsers"),
            "DELETE /api/v1/me/push-subscriptions/{id}": .none(reason: "is for browsers; the page lists them"),
            "GET /api/v1/moderation": .command("moderation list"),
            "GET /api/v1/moderation/{kind}/{id}": .command("moderation show"),
            "POST /api/v1/moderation/{kind}/{id}/claim": .command("moderation claim"),
            "POST /api/v1/moderation/{kind}/{id}/decision": .command("moderation decide"),
            "GET /api/v1/authorize": .none(reason: "is for proxies that keep copies of media"),
            "GET /api/v1/invitations": .command("invitation list"),
            "POST /api/v1/invitations": .command("invitation add"),
            "DELETE /api/v1/invitations/{id}": .command("invitation remove"),
            "GET /api/v1/me": .command("me show"), "PATCH /api/v1/me": .command("me set"),
            "DELETE /api/v1/me": .command("me delete"), "PUT /api/v1/me/password": .command("me password"),
            "PUT /api/v1/me/email": .command("me email"),
            "GET /api/v1/me/photo": .none(reason: "is an image for pages; \"me export\" has it, too"),
            "PUT /api/v1/me/photo": .command("me photo"), "DELETE /api/v1/me/photo": .command("me photo"),
            "GET /api/v1/me/export": .command("me export"), "GET /api/v1/me/export.zip": .command("me export"),
            "GET /api/v1/me/sessions": .command("me session list"),
            "DELETE /api/v1/me/sessions": .command("me session end"),
            "DELETE /api/v1/me/sessions/{id}": .command("me session end"),
            "GET /api/v1/me/second-factor": .command("me second-factor status"),
            "POST /api/v1/me/second-factor": .command("me second-factor on"),
            "PUT /api/v1/me/second-factor": .command("me second-factor on"),
            "DELETE /api/v1/me/second-factor": .command("me second-factor off"),
            "POST /api/v1/password-resets": .none(reason: "is what somebody does who cannot log in, on a page"),
            "PUT /api/v1/password-resets": .none(reason: "follows a link in a mail, on a page"),
            "POST /api/v1/email-confirmations": .none(reason: "is what somebody does who cannot log in, on a page"),
            "PUT /api/v1/email-confirmations": .none(reason: "follows a link in a mail, on a page"),
            "GET /api/v1/tokens": .command("token list"), "POST /api/v1/tokens": .command("token create"),
            "DELETE /api/v1/tokens/{id}": .command("token revoke"), "GET /api/v1/audit": .command("audit"),
            "GET /api/v1/docs": .none(reason: "is a page"),
            "GET /api/v1/openapi.json": .none(reason: "describes the API to programs"),
        ]

        /// Commands without `--json`, with the reason.
        private static let withoutJSON: [String: String] = [
            "serve": "runs the server; --print-ports prints JSON",
            "events": "prints JSON anyway", "metadata": "prints JSON anyway", "channel show": "prints JSON anyway",
            "config show": "prints JSON anyway", "hash-password": "prints JSON anyway",
            "me export": "prints JSON anyway",
            "score results": "writes files; \"score list --results\" has --json",
            "score strategy display": "the board of the channel shows it", "score strategy hide": "as above",
            "download start": "shows progress; \"download list\" has the result", "download resume": "shows progress",
            "download run": "shows progress", "download play": "prints one address",
            "download sweep": "says on standard error what it has deleted",
            "broadcast set": "changes a file of this machine", "broadcast show": "shows a file of this machine",
            "broadcast configure": "asks questions", "broadcast sources": "lists what is plugged in",
            "broadcast about": "says what it is",
        ]

        /// A command of `antena --experimental-dump-help`.
        private struct Command: Decodable {
            struct Argument: Decodable {
                struct Name: Decodable { var name: String }
                var names: [Name]?
            }
            var commandName: String
            var subcommands: [Command]?
            var arguments: [Argument]?

            /// The commands without subcommands, by the words that follow `antena`.
            func leaves(_ path: [String] = []) -> [(path: String, command: Command)] {
                let inner = (subcommands ?? []).filter { $0.commandName != "help" }
                return inner.isEmpty
                    ? [(path.joined(separator: " "), self)]
                    : inner.flatMap { $0.leaves(path + [$0.commandName]) }
            }
        }

        private static func commands() async throws -> [String: Command] {
            struct Tool: Decodable { var command: Command }
            let result = try await AntenaProcess.command(["--experimental-dump-help"])
            let tool = try JSONDecoder().decode(Tool.self, from: Data(result.output))
            return Dictionary(uniqueKeysWithValues: tool.command.leaves())
        }

        @Test func everyOperationOfTheAPIHasACommandOrAReason() async throws {
            let commands = try await Self.commands()
            let server = try await AntenaProcess.serving()
            let description = Data(try await server.request("/api/v1/openapi.json").body)
            let document = try #require(try JSONSerialization.jsonObject(with: description) as? [String: Any])
            let paths = try #require(document["paths"] as? [String: [String: Any]])
            let methods: Set = ["get", "put", "post", "patch", "delete", "head", "options"]
            let operations = Set(
                paths.flatMap { path, item in item.keys.filter(methods.contains).map { "\($0.uppercased()) \(path)" } })
            #expect(operations.subtracting(Self.ways.keys) == [], "name the command, or why there is none")
            #expect(Set(Self.ways.keys).subtracting(operations) == [], "there is no such operation")
            for (operation, way) in Self.ways {
                if case .command(let name) = way { #expect(commands[name] != nil, "\(operation): antena \(name)") }
            }
        }

        @Test func everyCommandPrintsJSONOrHasAReason() async throws {
            let commands = try await Self.commands()
            let without = Set(
                commands.filter { _, command in
                    !(command.arguments ?? []).contains { ($0.names ?? []).contains { $0.name == "json" } }
                }.keys)
            #expect(without.subtracting(Self.withoutJSON.keys) == [], "add --json, or say why not")
            #expect(Set(Self.withoutJSON.keys).subtracting(without) == [], "there is no such command without --json")
        }

        @Test func invitationsAreMadeListedAndEnded() async throws {
            let server = try await AntenaProcess.serving()
            func run(_ arguments: String...) async throws -> String {
                let result = try await server.command(["invitation"] + arguments + ["--server", server.origin])
                #expect(result.status == 0, "\(arguments): \(result.errorOutput)")
                return result.text.trimmingCharacters(in: .newlines)
            }
            let link = try await run("add", "--role", "broadcaster")
            #expect(link.hasPrefix("\(server.origin)/cuenta/registro?link="), "\(link)")
            let list = try JSONSerialization.jsonObject(with: Data(try await run("list", "--json").utf8))
            let invitation = try #require((list as? [[String: Any]])?.first)
            #expect(invitation["role"] as? String == "broadcaster" && invitation["link"] == nil)
            let id = try #require(invitation["id"] as? String)
            #expect(try await run("remove", id, "--json") == "{\"id\":\"\(id)\",\"result\":\"removed\"}")
            #expect(try await run("list") == "no invitations")
        }
    }
}
