import JSONDocument
import VideoClub

extension ClubSettings {
    /// Reads the section `videoClub` of a `channels.json` that has passed all checks; missing fields keep their
    /// defaults.
    init(_ section: JSONNode?) {
        self.init()
        if let name = section?["activation"]?.string.flatMap(Activation.init(rawValue:)) { activation = name }
        if let hours = section?["hoursToPlay"]?.integer { timeToPlay = .seconds(hours * 3_600) }
        if let count = section?["playersPerRental"]?.integer { playersPerRental = count }
        if let name = section?["voters"]?.string.flatMap(Voters.init(rawValue:)) { voters = name }
        if let name = section?["trailers"]?.string.flatMap(Trailers.init(rawValue:)) { trailers = name }
        if let name = section?["atEnd"]?.string.flatMap(AtEnd.init(rawValue:)) { atEnd = name }
        if let mayChange = section?["votesMayChange"]?.boolean { votesMayChange = mayChange }
        if let text = section?["listing"]?.string, let listing = Listing(rawValue: text) { self.listing = listing }
        purchase.address = section?["purchaseAddress"]?.string
        for language in ["en", "es"] {
            if let text = section?["purchaseText"]?[language]?.string { purchase.texts[language] = text }
        }
        if let days = section?["daysNew"]?.integer { timeNew = .seconds(Int64(days) * 86_400) }
    }
}
