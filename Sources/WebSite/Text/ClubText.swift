import Accounts
import Foundation
import HTTPEndpoints
import MediaCore
import OfflineCopyFormat
import VideoClub

/// The texts of the pages on which titles are rented.
struct ClubText {
    let rent, rentNow, rented, notEnough, price, free, perRental, balance, myCredits, myTitles, noTitles,
        noMovements: String
    let activate, activateText, activated, watch, watchUntil, over, rentAgain, startBefore, logIn: String
    let vote, rating, votes, noVotes, voted, alreadyVoted, notARenter, yourRating, trailer, noTrailer, back,
        more: String
    let terms, termsText, save, saved, changedMeanwhile, wrong, asksForFreeRental, yes, no: String
    let minutesToStart, minutesToPlay, trailerField, unit, oneUnit: String
    let ending, endingText, until, asTable: String
    let timeLeft, confirm, confirmText, balanceAfter, share, copied: String
    let oneDevice, devices, watchedOn, asManyAsMay: String
    let regularPrice, featured, usually: String
    let getCredits, buyCredits: String
    let offline, notOffline, renditionList, audio, howToDownload: String
    let copyStates: [CopyDownloadState: String]
    let states: [RentalState: String]
    let reasons: [CreditReason: String]
    /// Whether times are written as in Spain.
    let isSpanish: Bool

    static func preferred(_ acceptLanguage: String?) -> ClubText {
        switch SiteLanguage.preferred(acceptLanguage) {
        case .english: english
        case .spanish: spanish
        }
    }

    /// A number of credits with its unit.
    func credits(_ count: Int64) -> String { CountedNoun(oneUnit, unit)(count) }

    /// An average vote, with the decimal sign of the language.
    func decimal(_ average: Double) -> String { "\(average)".replacing(".", with: isSpanish ? "," : ".") }

    /// What a title costs.
    func price(_ price: Int64) -> String { price > 0 ? credits(price) : free }

    /// The notice that no further device can watch with a rental; `nil` if one can.
    func placesTaken(of rental: OpaqueID, in club: VideoClub) -> String? {
        let count = club.players.count(of: rental.text)
        guard count >= club.settings.playersPerRental else { return nil }
        return "\(watchedOn) \(CountedNoun(oneDevice, devices)(Int64(count))) \(asManyAsMay)"
    }

    /// What devices have of a rental.
    func copies(_ copies: [CopyOnDevice]) -> String {
        let devices = copies.map { "\($0.deviceName) (\($0.rendition), \(copyStates[$0.state] ?? ""))" }
        return "\(offline): \(devices.isEmpty ? notOffline : devices.joined(separator: ", "))"
    }

    /// The renditions that can be downloaded, with their sizes.
    func renditions(_ list: [CopyRendition]) -> String {
        let parts = list.map { rendition in
            let size = CopySize.text(rendition.byteCount, separator: isSpanish ? "," : ".")
            guard let width = rendition.width, let height = rendition.height else {
                return "\(rendition.name) (\(audio), \(size))"
            }
            return "\(rendition.name) (\(width) × \(height), \(size))"
        }
        return "\(renditionList): \(parts.joined(separator: ", "))"
    }

    /// A duration in hours and minutes.
    func duration(_ duration: Duration) -> String {
        let minutes = Int64(max(0, duration.seconds)) / 60
        let (hours, rest) = minutes.quotientAndRemainder(dividingBy: 60)
        return switch (hours, rest) {
        case (0, _): "\(rest) min"
        case (_, 0): "\(hours) h"
        default: "\(hours) h \(rest) min"
        }
    }

    /// A point in time as people of the language write it.
    func time(_ time: WallClockTime) -> PageText {
        (isSpanish ? AccountText.spanish : AccountText.english).time(time)
    }

    /// A time for programs, as in RFC 3339.
    func timestamp(_ time: WallClockTime) -> String { Date(time).formatted(.iso8601) }

    private static let english = ClubText(
        rent: "Rent", rentNow: "Rent now", rented: "You have rented the title.",
        notEnough: "You have not enough credits. Missing:", price: "Price", free: "free", perRental: "Time to watch",
        balance: "Your credits", myCredits: "My credits", myTitles: "My titles",
        noTitles: "You have not rented anything yet.", noMovements: "There are no movements yet.",
        activate: "Begin to watch",
        activateText: "The time to watch begins when you press the button, and cannot be stopped. It lasts:",
        activated: "The time to watch has begun.", watch: "Watch", watchUntil: "You can watch it until",
        over: "The time of your last rental is over.", rentAgain: "Rent again", startBefore: "Begin before",
        logIn: "Log in to rent", vote: "Vote", rating: "From 1 to 10", votes: "Votes",
        noVotes: "There are no votes yet.",
        voted: "Your vote counts.", alreadyVoted: "You have voted for this title already.",
        notARenter: "Members who have rented the title may vote.", yourRating: "Your vote", trailer: "Trailer",
        noTrailer: "There is no trailer.", back: "Back to the title", more: "Older ones",
        terms: "Price and rental",
        termsText:
            "A title with a price has to be rented before it can be watched. Rentals that were made before keep their terms.",
        save: "Save", saved: "Saved.",
        changedMeanwhile: "Somebody else has changed this meanwhile. Check it and save again.",
        wrong:
            "Check the values: a price from 0 to 100,000, whole minutes, and the address of another title as trailer.",
        asksForFreeRental: "Free titles have to be rented, too", yes: "Yes", no: "No",
        minutesToStart: "Minutes in which a rental has to be started (empty: no limit)",
        minutesToPlay: "Minutes to watch it (empty: as usual)", trailerField: "Trailer: the id of another title",
        unit: "credits", oneUnit: "credit", ending: "Credits that end",
        endingText: "These are spent first. What is left of them at the end of their time is gone.", until: "until",
        asTable: "All movements as a table (CSV)", timeLeft: "Time left:", confirm: "Confirm the rental",
        confirmText: "The credits are taken when you confirm. The time to watch begins later, when you start it.",
        balanceAfter: "Your credits afterwards", share: "Share this title", copied: "The address was copied.",
        oneDevice: "device", devices: "devices", watchedOn: "It is being watched on",
        asManyAsMay: "at once, as many as the rental allows; close one to watch it on another.",
        regularPrice: "What it usually costs, if it is an offer (empty: no offer)", featured: "Recommended in lists",
        usually: "usually", getCredits: "Get credits", buyCredits: "Buy credits", offline: "Offline copies",
        notOffline: "none", renditionList: "Renditions", audio: "audio",
        howToDownload:
            "To watch it without a network, on a computer that \"antena device add\" has registered; --rendition chooses one:",
        copyStates: [.none: "none", .partial: "partly downloaded", .downloaded: "downloaded"],
        states: [.rented: "not started", .activated: "running", .expired: "over", .refunded: "given back"],
        reasons: [
            .topUp: "Top-up", .payment: "Payment", .gift: "Gift", .rental: "Rental", .refund: "Refund",
            .reversal: "Taken back", .expired: "Ended",
        ], isSpanish: false)

    private static let spanish = ClubText(
        rent: "Alquilar", rentNow: "Alquilar ahora", rented: "Ha alquilado el título.",
        notEnough: "No tiene créditos suficientes. Faltan:", price: "Precio", free: "gratis",
        perRental: "Tiempo para verlo",
        balance: "Sus créditos", myCredits: "Mis créditos", myTitles: "Mis títulos",
        noTitles: "Todavía no ha alquilado nada.", noMovements: "Todavía no hay movimientos.",
        activate: "Empezar a ver",
        activateText: "El tiempo para verlo empieza al pulsar el botón y no se puede parar. Dura:",
        activated: "El tiempo para verlo ha empezado.", watch: "Ver", watchUntil: "Puede verlo hasta",
        over: "El tiempo de su último alquiler ha terminado.", rentAgain: "Alquilar otra vez",
        startBefore: "Empiece antes de", logIn: "Inicie sesión para alquilar", vote: "Votar", rating: "De 1 a 10",
        votes: "Votos", noVotes: "Todavía no hay votos.", voted: "Su voto cuenta.",
        alreadyVoted: "Ya ha votado por este título.",
        notARenter: "Puede votar quien ha alquilado el título.", yourRating: "Su voto", trailer: "Tráiler",
        noTrailer: "No hay tráiler.", back: "Volver al título", more: "Anteriores",
        terms: "Precio y alquiler",
        termsText:
            "Un título con precio se alquila antes de verlo. Los alquileres anteriores conservan sus condiciones.",
        save: "Guardar", saved: "Guardado.",
        changedMeanwhile: "Otra persona ha cambiado esto mientras tanto. Revíselo y guarde de nuevo.",
        wrong: "Revise los valores: un precio de 0 a 100 000, minutos enteros y otro título como tráiler.",
        asksForFreeRental: "Los títulos gratis también se alquilan", yes: "Sí", no: "No",
        minutesToStart: "Minutos para empezar un alquiler (vacío: sin límite)",
        minutesToPlay: "Minutos para verlo (vacío: lo habitual)", trailerField: "Tráiler: el id de otro título",
        unit: "créditos", oneUnit: "crédito", ending: "Créditos que caducan",
        endingText: "Se gastan primero. Lo que quede de ellos al final de su plazo se pierde.", until: "hasta",
        asTable: "Todos los movimientos en una tabla (CSV)", timeLeft: "Tiempo restante:",
        confirm: "Confirmar el alquiler",
        confirmText:
            "Los créditos se descuentan al confirmar. El tiempo para verlo empieza después, cuando usted quiera.",
        balanceAfter: "Sus créditos después", share: "Compartir este título", copied: "La dirección se ha copiado.",
        oneDevice: "aparato", devices: "aparatos", watchedOn: "Se está viendo en",
        asManyAsMay: "a la vez, los que permite el alquiler; cierre uno para verlo en otro.",
        regularPrice: "Lo que cuesta normalmente, si es una oferta (vacío: ninguna)",
        featured: "Recomendado en las listas", usually: "normalmente", getCredits: "Conseguir créditos",
        buyCredits: "Comprar créditos",
        offline: "Copias sin conexión",
        notOffline: "ninguna",
        renditionList: "Versiones", audio: "audio",
        howToDownload:
            "Para verlo sin conexión, en un ordenador registrado con \"antena device add\"; --rendition elige la versión:",
        copyStates: [.none: "ninguna", .partial: "descargada en parte", .downloaded: "descargada"],
        states: [.rented: "sin empezar", .activated: "en curso", .expired: "terminado", .refunded: "devuelto"],
        reasons: [
            .topUp: "Recarga", .payment: "Pago", .gift: "Regalo", .rental: "Alquiler", .refund: "Devolución",
            .reversal: "Anulación", .expired: "Caducado",
        ], isSpanish: true)
}
