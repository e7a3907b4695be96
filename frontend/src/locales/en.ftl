# English words of the page. Other languages are files beside this one with the same names and variables.

### Frame
brand = Flagfall
page-title = { $room } – Flagfall
rooms = Rooms
play = Play
deployments = Deployments
my-games = My games
hall = Hall
account = Account
rules = Rules
rules-and-tips = Rules and tips
new-game = New game
menu = Menu
settings = Settings
close = Close
back = Back
theme = Theme
theme-switch = Light or dark
theme-auto = As the device
theme-light = Light
theme-dark = Dark
sound = Sound
sound-on = Sound on
sound-off = Sound off
sound-play = Play sounds
volume = Volume
variant = { $name ->
    [classic] Classic
    [original] Original
    [fortress] Fortress
    [barrage] Barrage
    [duel] Duel
    [duel-us] American Duel
    [quick-battle] Quick Battle
    [octa-barrage] Octa-Barrage
    [ultimate-lightning] Ultimate Lightning
    [electronic] Electronic
    [free] Free Set-up
    [micro] Micro
   *[other] { $name }
}
    .about = { $name ->
    [classic] Forty men a side, two lakes, four full rows to hide a flag in. No rank is seen before there is a battle.
    [original] The forty men of Classic on other ground: a lake in the middle and a narrow one near each edge leave two broad roads, and a footpath along either side that is one man wide.
    [fortress] Thirty men hold a fortress. Two moats part your ground into a keep and two wings, four squares stay free, and between the walls lies an open field.
    [barrage] Eight men anywhere in your four rows: marshal, general, spy, miner, two scouts, a bomb and the flag. Scouts see far, and one mistake decides.
    [duel] Ten men anywhere in your four rows: Barrage with a second miner and a second bomb. Quick to place, quick to play.
    [duel-us] Duel as the American box has it: the same ten men, and only the first three rows to place them in.
    [quick-battle] Ten men on eight by eight squares, two rows each. The armies meet after three moves.
    [octa-barrage] The eight men of Barrage on eight by eight squares and three rows: no room to hide, no time to wait.
    [ultimate-lightning] Twenty men in a hurry: the attacker wins a tie, a bomb bursts once, captains can run, and whoever reaches the far row brings a lost man back.
    [electronic] No rank is ever shown: all that you are told is who won. Twenty-four men a side on a board eight wide and ten deep.
    [free] Take whom you like out of the Classic box, as many or as few as you want, and the flag. The other side sees how many men stand there, not whom you left at home.
    [micro] Four men on sixteen squares, five plies long: too small to play, small enough that every game of it can be checked.
   *[other] A game of your own.
}
own-rule-count = { $count ->
    [one] 1 rule of its own
   *[other] { $count } rules of its own
}
men-count = { $men ->
    [one] 1 man
   *[other] { $men } men
}
board-size = { $width } by { $height } squares, { $men } men a side
army-men = The men of an army
rules-of-game = Rules of this game alone
reach-of = { $rank }: { $squares ->
    [0] stays where he was placed
    [1] one square
    [9] any distance in a straight line
   *[other] up to { $squares } squares in a straight line
}
meeting = { $outcome ->
    [attacker] { $attacker } against { $defender }: the attacker wins
    [defender] { $attacker } against { $defender }: the defender stays
   *[other] { $attacker } against { $defender }: both fall
}
no-house-rules = None: the game as it is.
own-add = Add a game from a file
own-added = { $name } was added.
own-forget = Forget this game
file-at-field = Look at the field “{ $field }”.
file-at-line = Look at line { $line }, column { $column }.
file-too_long = This file is too long for a game.
file-too_deep = This file is nested too deep for a game.
file-bad_json = This file is no JSON.
file-bad_format = This is no file of a game. It begins with “format”: “flagfall-variant-1”.
file-missing_field = A field is missing.
file-battle_twice = One battle is there twice, and nobody knows which end counts.
file-no_mover = No man of this army can ever move.
file-cut_off = A square of a home area is cut off: no way leads to it.
file-bombs_for_ever = No man of this army takes bombs, so a flag behind them could never be taken.
file-bad_field = A field is missing or of the wrong kind.
file-unknown_field = This field means nothing in a game.
file-field_twice = A field is there twice, and nobody knows which one counts.
file-bad_name = A game’s name is lower-case words and numbers with hyphens between them.
file-name_taken = There is a game of this name already. Give yours another.
file-bad_board = The board is drawn with rows of one length, at most ten by ten, of the signs . ~ r b.
file-bad_counts = The army does not fit: one flag, at most forty men, and no more than the home area holds.
file-bad_reach = A man goes 0 to 9 squares, and a flag none.
file-bad_battle = A battle is two ranks and how it ends; a battle with a flag has only one end.
file-bad_switch = This rule cannot have this value.
file-unknown_switch = There is no such rule.
file-bad_rank = There is no such man.
file-leaking_law = Chases compared by rank would tell hidden ranks; no game is played so here.
file-other = This file is no game that can be played ({ $code }).
house-rule = House rule: { $rule }
house-rule-count = { $count ->
    [0] no house rules
    [one] 1 house rule
   *[other] { $count } house rules
}

### Sides and men
side-red = Red
side-blue = Blue
you = You
you-are = You are { $side }
house-player = House player
level = Level { $number }
rank-0 = hidden man
rank-1 = spy
rank-2 = scout
rank-3 = miner
rank-4 = sergeant
rank-5 = lieutenant
rank-6 = captain
rank-7 = major
rank-8 = colonel
rank-9 = general
rank-10 = marshal
rank-11 = bomb
rank-12 = flag

### New game
welcome = Two armies, one flag each
welcome-text = You see your own men and the backs of theirs. Find the flag before they find yours.
against-label = Against
against-house = The house
    .says = The machine sits opposite, at the level you choose.
against-friend = A friend, by link
    .says = You get a link to send. Both place their armies at the same time; nobody needs an account.
against-hall = Anybody, in the hall
    .says = Your table stands in the hall while its page is open, and whoever comes first sits down.
against-here = Two at one screen
    .says = You take turns at this screen. A curtain falls after each move, and nobody sees the other’s men.
level-label = Level
level-1 = gentle
    .says = Level 1 is for a first game. It misses a lot, and soon forgets what it saw.
level-2 = mild
    .says = Level 2 sees what can be taken at once, where it looks.
level-3 = easy
    .says = Level 3 thinks of your answer too, and overlooks much.
level-4 = fair
    .says = Level 4 overlooks half of what it could do.
level-5 = steady
    .says = Level 5 remembers a man for some thirty moves, and has a notion of where men stand.
level-6 = firm
    .says = Level 6 knows where men usually stand and how they move.
level-7 = sharp
    .says = Level 7 counts what is left and looks further ahead.
level-8 = stern
    .says = Level 8 forgets nobody it has met.
level-9 = hard
    .says = Level 9 overlooks next to nothing.
level-10 = hardest
    .says = Level 10 is the best this house can do.
your-side = Your side
who-starts = Who starts
by-lot = By lot
numbers = Numbers
numbers-modern = 10 is the marshal
    .where = newer boxes
    .short = newer
numbers-original = 1 is the marshal
    .where = older boxes
    .short = older
game-label = Game
clock-label = Clock
clock-none = No clock
clock-usual = As usual for this game: { $clock }
clock-sudden-death = { $minutes } minutes each
clock-fischer = { $minutes } minutes, { $seconds } s added a move
clock-bronstein = { $minutes } minutes, up to { $seconds } s back a move
clock-delay = { $minutes } minutes, { $seconds } s free a move
clock-per-move = { $seconds } s a move
clock-days = { $days ->
    [one] 1 day a move
   *[other] { $days } days a move
}
clock-days-left = { $days ->
    [one] 1 day
   *[other] { $days } days
}{ $hours ->
    [0] {""}
   *[other] {" "}{ $hours } h
}
clock-days-note = no need to stay: absence decides nothing.
clock-capped = { $clock }, at most { $seconds } s a move
clock-own = A clock of my own …
clock-kind = How time is given
clock-kind-sudden-death = Minutes for the whole game
clock-kind-fischer = Minutes, and seconds added after each move
clock-kind-bronstein = Minutes, and a move’s seconds given back
clock-kind-delay = Minutes, the first seconds of a move free
clock-kind-per-move = Seconds for each move
clock-kind-days = Days for each move
clock-minutes = Minutes each
clock-seconds = Seconds a move
clock-days-label = Days a move
clock-add-fischer = Seconds added
clock-add-bronstein = Seconds back
clock-add-delay = Seconds free
clock-cap = Longest move
clock-cap-none = No limit
clock-cap-of = { $seconds } seconds
late-label = Not placed in time
late-loses = Game lost
late-by-lot = Army by lot
house-rules = House rules
rule-add = Add a rule
rules-close = Close the list
rule-remove = Remove: { $rule }
place-my-army = Place my army
play-ready-army = Play with a ready army
play-this-army = Play with this army
begin-here = Begin
looking-for-server = Looking for the server …
trouble-bad_army = This army is not complete.
trouble-too_many_games = Too many games at once. Finish or give up one first.
trouble-law_not_ready = The rules are still being got ready. Try again in a moment.
trouble-busy = The house is busy. Try again in a moment.
trouble-offline = No answer from the server. Your army is kept; try again in a moment.
trouble-closed = This table was being put away. Try again.
trouble-too_fast = Too fast. Wait a moment, then try again.
trouble-seat_taken = Somebody else has taken this seat.
trouble-no_invitation = This invitation leads nowhere. It may have been taken back; ask for a new link.
trouble-host_away = Whoever made this table has left it. Choose another.
trouble-not_in_hall = Open tables are for games of the catalogue, with house rules if you like.
trouble-own_table = You sit at this table already, signed in or not.
trouble-name_taken = Somebody has this name. Choose another.
trouble-weak_password = This password is too easy to guess: not your name, and more than a few letters over and over.
trouble-wrong_login = Name and password do not belong together.
trouble-not_signed_in = You are no longer signed in.
trouble-joined_already = Somebody sits at this table by now. You can resign once the game runs.
trouble-too_many_tokens = Revoke one of your tokens first.
trouble-no_token = This token is gone already.
trouble-banned = You may not play on this server any more. Your account’s data are yours to take along or to delete.
trouble-nobody_to_report = Nobody else sits at this table.
trouble-no_words = Say what it is.
trouble-casual_only = Only games between two people are rated.
trouble-sign_in_to_count = A rated game is for two people with accounts. Sign in first.
trouble-casual_rules = Only games of the catalogue by their own rules are rated.
trouble-no_person = Nobody has this name.
trouble-no_game = This game is gone.
trouble-other = That did not work ({ $code }). Try again, or reload the page.

### House rules
rule-other = { $key }: { $value }
    .clause = A change of the rules that this page has no sentence for.
rule-count = { $rank }: { $number }, not { $usual }
    .clause = Each army has { $number } of this rank instead of { $usual }.
switches-battle = Battles
switches-moving = Men and moves
switches-repeating = To and fro, and chasing
switches-ending = The end
switches-men = How many men
count-less = One { $rank } fewer
count-more = One { $rank } more
counts-room = { $men } men; the ground holds { $most }.
rule-bomb_once = { $value ->
    [false] Bombs stay
   *[other] Bombs burst once
}
    .clause = { $value ->
    [false] A bomb that kills a man stays until a miner clears it.
   *[other] A bomb leaves the board together with the man who struck it. Ordinarily it stays until a miner clears it.
}
rule-captains_move_two = { $value ->
    [false] Captains go one square
   *[other] Captains go two squares
}
    .clause = { $value ->
    [false] A captain goes one square a move, like most men.
   *[other] A captain may go two squares in a move, straight or round one corner, and attack at the end of it.
}
rule-rescues = { $number ->
    [0] No rescue
    [one] One rescue a game
   *[other] { $number } rescues a game
}
    .clause = { $number ->
    [0] Men who have fallen stay off the board.
   *[other] A man who reaches the far row may bring one fallen man of his army back onto a free square of the own half. No man does so twice, a scout never, and a side at most { $number } times a game.
}
rule-tie = { $value ->
    [attacker] Equal ranks: the attacker wins
    [defender] Equal ranks: the defender stays
   *[other] Equal ranks: both fall
}
    .clause = { $value ->
    [attacker] When two men of one rank meet, only the defender falls. Ordinarily both do.
    [defender] When two men of one rank meet, only the attacker falls. Ordinarily both do.
   *[other] When two men of one rank meet, both fall.
}
rule-reveal = { $value ->
    [silent] Silent defence
    [none] No ranks told
   *[other] Both ranks told
}
    .clause = { $value ->
    [silent] Only the attacker shows his rank, unless a scout attacks; then both do.
    [none] Neither man shows his rank; only who fell is told.
   *[other] Both men of a battle show their ranks.
}
rule-scout_move_and_strike = { $value ->
    [false] Scouts strike only next to them
   *[other] Scouts run and strike
}
    .clause = { $value ->
    [false] A scout may run as far as he likes, but attacks only a man on the next square.
   *[other] A scout may run and attack in one move.
}
rule-two_square_limit = { $number ->
    [0] To and fro without end
    [2] To and fro: at most twice
   *[other] To and fro: at most { $number } times
}
    .clause = { $number ->
    [0] A man may go to and fro over the same line as often as he likes.
    [2] A man may cross the line between the same two squares twice in a row. The third crossing in a row is not allowed.
    [3] A man may cross the line between the same two squares three times in a row. The fourth crossing in a row is not allowed.
    [5] A man may cross the line between the same two squares five times in a row. The sixth crossing in a row is not allowed.
   *[other] A man may cross the line between the same two squares { $number } times in a row. One more crossing in a row is not allowed.
}
rule-two_square_counts_attacks = { $value ->
    [false] Attacks do not count as to and fro
   *[other] Attacks count as to and fro
}
    .clause = { $value ->
    [false] An attack is never barred by the to-and-fro rule and starts the count anew.
   *[other] An attack counts for the to-and-fro rule like any other move.
}
rule-two_square_scope = { $value ->
    [exact-squares] To and fro: same two squares only
   *[other] To and fro: every line crossed
}
    .clause = { $value ->
    [exact-squares] Only moves between the very same two squares count as to and fro.
   *[other] Every line that a run crosses counts.
}
rule-more_squares = { $value ->
    [off] Chasing without end
    [type] Chases compared by rank
   *[other] No endless chase
}
    .clause = { $value ->
    [off] One may chase a man round and round, even into positions that have been there before.
    [type] Two men of one rank count as the same man when a chase repeats itself.
   *[other] A chasing move may not bring back a position of the same chase.
}
rule-chase_memory = { $value ->
    [game] A chase remembers the whole game
    [since-capture] A chase remembers since the last battle
   *[other] A chase remembers itself
}
    .clause = { $value ->
    [game] A chasing move may not bring back any position of the game.
    [since-capture] A chasing move may not bring back any position since the last battle.
   *[other] A chasing move may not bring back a position of the same chase.
}
rule-stuck_check = { $value ->
    [on_turn] Stuck only counts on your turn
    [piece-count] Only men count, not moves
   *[other] Stuck counts at once
}
    .clause = { $value ->
    [on_turn] Who cannot move has lost when it is his turn, not before.
    [piece-count] A side has lost when all its men that could ever move are gone.
   *[other] Who cannot move has lost at once.
}
rule-max_quiet_plies = { $value ->
    [none] No limit of quiet moves
   *[other] Draw after { $number } quiet moves
}
    .clause = { $value ->
    [none] A game may go on without battles for ever.
   *[other] When { $number } moves of both sides pass without an attack, the game is a draw.
}
rule-max_plies = { $value ->
    [none] No limit of moves
   *[other] Draw after { $number } moves
}
    .clause = { $value ->
    [none] A game may be as long as it likes.
   *[other] After { $number } moves of both sides the game is a draw.
}
rule-limit_test = { $value ->
    [more-than] Limits fall one move later
   *[other] Limits fall on the move
}
    .clause = { $value ->
    [more-than] A limit ends the game with the move after it.
   *[other] A limit ends the game with the move that reaches it.
}
rule-flag_beats_limit = { $value ->
    [false] A limit comes before the flag
   *[other] The flag comes before a limit
}
    .clause = { $value ->
    [false] On the move that reaches a limit the game is a draw, even if it takes the flag.
   *[other] Taking the flag wins, even on the move that reaches a limit.
}
rule-smaller_army = { $value ->
    [false] The whole army
   *[other] A smaller army
}
    .clause = { $value ->
    [false] Every man of the army takes the field.
   *[other] Any men but the flag may stay in the box, and the other side is not told which.
}
rule-spy_taken_only_by_attack = Spies fall only when attacked
    .clause = The spy is taken by whoever attacks him. This only restates the ordinary rule.

### A friend by link
invitation = Invitation
invited = You are invited to a game
invitation-lost = No seat for you here
sit-down = Sit down
sit-down-note = No account is needed: the seat belongs to this browser.
invite-link = { $open ->
    [true] Link to this table
   *[other] Link for your friend
}
invite-text = Send this link to one person, and place your army meanwhile. Whoever sits down first has the seat.
invite-text-ready = Send this link to one person: whoever sits down first has the seat. Your army stands.
copy-link = Copy the link
share = Share …
share-text = A game of Flagfall: here is your seat.
withdraw = Take it back
your-friend = Your friend
friend-free = { $open ->
    [true] Nobody has sat down yet
   *[other] Your friend has not come yet
}
friend-placing = { $open ->
    [true] The other player is here, placing the army
   *[other] Your friend is here, placing the army
}
friend-gone = { $open ->
    [true] The other player has the seat, but is away
   *[other] Your friend has the seat, but is away
}
friend-ready = { $open ->
    [true] The other player is ready
   *[other] Your friend is ready
}
friend-present = at the table
friend-away = away
friend-awaited = not here yet
with-friend = with a friend
with-name = with { $name }
with-stranger = with somebody from the hall
counts-label = Counts
casual = Casual
    .says = A friendly game: plies may be given back, and no rating changes.
rated = Rated
    .says = The result counts, and every move stands.
rated-sign-in = Sign in to play rated games: they are for two people with accounts.
rated-rules = Rated games are played by the catalogue’s own rules.

### Between two people
table-news = Table, new
talk = Talk
talk-lines = What was said
talk-say = Say
talk-phrases = Phrases only. Words of your own need both sides’ consent.
talk-open = Write freely
talk-close = Phrases only again
talk-wished = You would like to write freely. { $side } has not agreed yet.
talk-wished-by = { $side } would like to write freely.
talk-message = Your message
talk-send = Send
talk-mute = Mute
talk-unmute = Hear again
talk-block = Block
talk-muted = Muted at this table. The other side is not told.
talk-blocked = Blocked: you hear nothing from this person, at any table. The other side is not told.
report = Report
report-title = Report the other player
report-why = What is the matter?
report-insults = Insults
report-cheating = Help of a program, or other cheating
report-stalling = Lets the clock run on purpose
report-other = Something else
report-words = In your own words, if you like
report-words-needed = In your own words
report-where = Only whoever runs this server reads it. The other side is not told.
report-send = Send the report
report-sent = Reported
said-by = { $side } says:
phrase-hello = Hello
phrase-good_luck = Good luck
phrase-well_played = Well played
phrase-thanks = Thanks
phrase-oops = Oops
phrase-sorry = Sorry
phrase-moment = One moment
phrase-back = I am back
phrase-hurry = I must go soon
phrase-good_game = Good game
call-off = Call it off
call-off-title = Call this game off?
call-off-text = It counts for nothing, and neither army is shown.
called-off = The game was called off
    .text = Nobody has won or lost, and both armies stay unseen.
take-back = Take back
back-title = { $side } asks for a move back
back-text = { $count ->
    [1] Its last move would be undone. Nothing else has happened since.
   *[2] Its last move and your answer would be undone.
}
back-give = Give it back
back-keep = Play on
back-waiting = Asked for your move back. { $side } has not answered yet.
back-denied = { $side } keeps to the moves as they stand.
back-lapsed = Your question has lapsed: the game has moved on.
back-given = The move was taken back.
left-title = { $side } has left the table
left-text = The seat has been empty for long enough: the game is yours to claim.
claim-win = Claim the win
claim-draw = Claim a draw
claim-wait = Wait
claim-in = yours to claim in { $time }
at-one-screen = two at one screen
other-player = The other player
rematch-waits = The rematch is laid: the same table, sides swapped.

### Accounts
sign-in = Sign in
register = New account
sign-out = Sign out
signed-out = You are signed out. Games of your account wait there.
account-signed-in = Signed in. Your games follow you to every place where you sign in.
account-text = Nobody needs an account. With one your games follow you to other devices. No e-mail is asked for, so nobody can send you a forgotten password.
account-name = Name
account-name-rule = 2 to 24 letters, digits, hyphens or underscores.
password = Password
password-rule = At least 10 characters.
password-now = Your password
password-new = The new one
tokens = Tokens for bots
tokens-text = A program of yours that plays for this account over HTTP shows a token instead of your password. An account that has one is shown to others as a bot.
token-made = This is “{ $title }”. Copy it now: it is not shown again.
token-title = What it is for
token-make = Make a token
token-revoke = Revoke
token-unused = made { $made }, not used yet
token-times = made { $made }, last used { $used }
change-password = Change the password
password-changed = The password is changed, and every other session is ended.
claim = { $count ->
    [one] Take it over
   *[other] Take them over
}
claim-text = { $count ->
    [one] 1 game was played in this browser without an account.
   *[other] { $count } games were played in this browser without an account.
}
claimed = The games are yours.
sessions = Where you are signed in
session-here = Here
session-there = Another place
session-times = since { $begun }, last used { $used }
session-end = End
sessions-end = End all others
sessions-ended = Ended. Pages that were open there can do nothing more.
own-data = Your data
own-data-text = Everything that is kept of you: name, sessions and every game of yours, with the record of each finished one.
export-data = Download
forget-account = Delete the account
forget-text = Games that are still on are given up. Finished ones stay with the other players, without your name. This cannot be undone.
account-gone = The account is deleted.

### Ratings and players’ pages
player = Player
player-since = Here since { $date }
my-player-page = My player’s page
ratings = Ratings
rating-of = { $rating }{ $provisional ->
    [true] ?
   *[other] { "" }
}
rating-title = Within { $deviation } points, two times in three
pace = { $pace ->
    [days] days for each move
    [long] long games
    [rapid] rapid
    [blitz] blitz
   *[untimed] no clock
}
rated-games = { $count ->
    [one] 1 rated game
   *[other] { $count } rated games
}
provisional-text = A question mark: too few games, or too long ago, to be sure.
no-ratings = No rated games yet.
results-against = Results against
tally = { $won } won · { $drawn } drawn · { $lost } lost
no-name = somebody without a name
no-results = No finished games with people yet.
openings-shown = Openings
no-openings = None shown.
no-openings-mine = None shown. At the end of a finished game you can choose to show your army here.
army-letters = The army in letters
opening-show = Show my opening
opening-shown = Your opening is shown on your page
opening-hide = Hide again
opening-hidden = Your opening is hidden
games-over = Finished games
score = { $score ->
    [won] Won
    [lost] Lost
   *[drawn] Drawn
}
look-at-game = Look at it

### The hall
open-table = An open table
open-tables = Open tables
open-text = Your table stands in the hall while this page is open. Place your army meanwhile, or send the link yourself.
hall-text = Play somebody who is here now. Nobody needs an account.
to-hall = Play somebody in the hall
seek-title = Find an opponent
seek = Find an opponent
seek-text = You are paired with whoever wants the same game under the same clock. While nobody does, you wait at a table and place your army.
seek-rated = A rated game
seek-rated-text = You are paired with whoever wants the same rated game and is about as strong as you. The longer you wait, the further off that may be.
seek-game = Game
lay-table = Lay a table of my own
no-tables = Nobody waits at a table just now
no-tables-text = Find an opponent lays a table for you; it shows here to everybody else until somebody sits down.
table-terms = { $clock } · you play { $side } · { $first ->
    [you] you start
   *[other] the other side starts
}
table-waits = { $minutes ->
    [0] just now
    [one] waits for 1 minute
   *[other] waits for { $minutes } minutes
}
table-mine = Your own table
table-to-mine = To the table
table-look = Look and sit down
table-count = { $count ->
    [0] No open tables
    [one] 1 open table
   *[other] { $count } open tables
}

### Two at one screen
curtain-title = Hand the screen to { $side }
curtain-text = Every man lies face down. { $other }’s men have left this page until { $other } asks for them again.
curtain-first = { $side } places an army first, unseen by { $other }.
curtain-place = Now { $side } places an army. { $other }’s men have left this page.
curtain-offer = { $other } offers a draw. { $side } answers.
curtain-ready = I am { $side }, and I am ready
curtain-again = Show the last ply again
curtain-owner = Whoever owns this computer can read the stored game.
curtain-drawn = The curtain has fallen. Hand the screen to { $side }.
draw-curtain = Draw the curtain
deploy-for-here = { $side }, unseen by { $other }. Nothing of this army is kept in the browser.
note-here = At one screen no notes are kept: the other side would find them.

### Deployment
place-your-army = Place your army
deploy-for = { $side }, against the house player, level { $level }
deploy-for-friend = { $side }, against your friend
deploy-for-stranger = { $side }, against whoever sits down
deploy-free = An army to keep, or to play with at once.
moves-first = { $side } moves first
first-by-lot = Who starts is drawn by lot
still-to-place = Still to place
of = { $some } of { $all }
times = × { $men }
tray-placed = placed
tray-man = { $rank }, { $figure }, { $men } to place
deploy-how = Click a man, then a square; or drag. Two men on the board swap places.
tools = Tools
fill-in = Fill in
mirror = Mirror
clear = Clear
as-text = As text
save = Save
undo = Undo
undone = Undone.
fill-trouble = No answer from the server. Your army is kept.
did-fill = Filled in round your men.
did-fill-all = A whole army was placed.
did-mirror = Left and right exchanged.
did-clear = All men taken back.
did-load = { $name } was placed.
did-paste = The army from the text was placed.
did-paste-part = The men from the text were placed.
ready-armies = Ready armies
my-armies = Mine ({ $count })
no-armies = Armies that you save gather here.
forget-army = Forget { $name }
flag-to-place = The flag is still to place
men-to-place = { $count ->
    [one] 1 man to place
   *[other] { $count } men to place
}
ready = Ready
enemy-ground = { $side } deploys here, unseen
setup-clock = Time to place your army
setup-low = Time is running out.
fill-and-start = Fill in and start
save-army = Save this army
save-name = Name
save-where = It is kept in this browser only.
save-taken = An army of this name is kept already; it will be replaced.
saved = { $name } is saved.
as-text-how = { $numbers ->
    [original] Back row first, left to right as you sit. F flag, B bomb, S spy, 1 marshal, 2 general, 3 colonel … 9 scout, a dot for nobody. “original:” says that 1 is the marshal; “modern:” would say that 10 is, with M for it.
   *[modern] Back row first, left to right as you sit. F flag, B bomb, S spy, M marshal (10), 9 general, 8 colonel … 2 scout, a dot for nobody. “modern:” says that 10 is the marshal; “original:” would say that 1 is.
}
copy = Copy
copied = Copied
use-text = Use this text
unreadable-deployment_too_long = That is too long for an army.
unreadable-bad_numbering = Before the colon stands “modern” or “original”.
unreadable-deployment_length = An army of this game has { $needed } signs; here are { $have }.
unreadable-deployment_sign = “{ $sign }” at place { $place } is no man.
unreadable-mixed_numbering = This text mixes the two numberings.
unreadable-which_numbering = These numbers can be read in two ways. Write “modern:” or “original:” before them.
unreadable-too_many = There are more men of one rank than an army has.
unreadable-other = This is no army.
deploy-own = { $square }, your { $rank }, { $figure }
deploy-empty = { $home ->
    [yes] { $square }, empty, yours to fill
   *[no] { $square }, not your ground
}
deploy-picked = { $rank } on { $square } in hand.
deploy-pick-first = Pick a man first, from the tray or from the board.
tray-picked = { $rank } in hand.
placed = { $rank } on { $square }. { $left } left.
shifted = { $rank } to { $square }.
swapped = { $one } and { $two } changed places.
taken-back = { $rank } taken back from { $square }.
none-left = No { $rank } left to place.
warning-walled_in = No man of this army can move
    .more = You would lose at once. Leave a gap in the front row that does not face a lake.
warning-flag_front = The flag on { $square } stands in the front row.
    .more = The first scout who comes along may take it.
warning-flag_open = The flag on { $square } stands open.
    .more = { $count ->
    [one] Nothing is on { $beside } yet. A bomb there would close the ring.
   *[other] Nothing is on { $beside } yet. Bombs there would close the ring.
}
warning-miners_back = All your miners stand in the back row.
    .more = Bombs can stop you for a long time. Bring one miner forward.

### Names of ready armies
army-corner_keep = Corner keep
    .idea = Flag low in a corner, bombs close to it.
army-deep_middle = Deep middle
    .idea = Flag behind the centre, ringed by bombs.
army-twin_decoys = Twin decoys
    .idea = More than one nest of bombs; one holds the flag.
army-lake_wall = Lake wall
    .idea = Bombs and steady men behind the lakes.
army-left_storm = Left storm
    .idea = Strong men gathered on the left wing.
army-right_storm = Right storm
    .idea = Strong men gathered on the right wing.
army-quiet_scouts = Quiet scouts
    .idea = Scouts held back for the end of the game.
army-drawn_1 = House army 1
    .idea = Made up for this game, and sound.
army-drawn_2 = House army 2
    .idea = Made up for this game, and sound.
army-drawn_3 = House army 3
    .idea = Made up for this game, and sound.
army-drawn_4 = House army 4
    .idea = Made up for this game, and sound.
army-open_field = Open field
    .idea = Few bombs at the flag, many men free to move.

### Play
play-heading = Your game as { $side }
board = Board
table = Table
moves = Moves
notes = Notes
panels = Panels
number = Number
rank = Rank
men-left = Men left
total-left = { $men } left
left-of = { $left } of { $all }
fell-unseen = { $men ->
    [one] 1 { $side } man fell unseen.
   *[other] { $men } { $side } men fell unseen.
}
at-most = { $side } has at most these.
last-battle = Last battle
rescue-title = Bring a fallen man back?
rescue-who = Fallen men
rescue-where = Where is he to stand? Choose a marked square.
rescue-man = Bring back: { $rank }, { $figure }
rescue-none = Only move
rescue-cancel = Take back
attack-at = { $side }’s attack on { $square }
your-turn = your move
their-turn = waiting
waiting-for-you = waiting for you
foe-placing = placing its army
thinking = thinking
your-move = Your move.
you-start = You start. Pick one of your men.
they-start = They start.
no-moves-yet = No moves yet.
no-battle-yet = No battle yet.
offer-draw = Offer draw
draw-offered = Draw offered
draw-short = Draw
draw-offered-short = Offered
offer-made = Draw offered.
offer-waiting = Draw offered. { $side } has not answered yet.
offer-declined = { $side } declined the draw.
offer-lapsed = The draw offer has lapsed.
offer-title = { $side } offers a draw
offer-text = It lapses with your next move.
accept = Accept
play-on = Play on
resign = Resign
resign-title = Give up this game?
resign-text = { $side } wins, and both armies are shown.
second-tab = Open in another tab too; both are live.
clock-of = Clock: { $name }
no-clock = There is no clock.
time-left = { $seconds ->
    [60] One minute left.
   *[other] { $seconds } seconds left.
}
offline = No answer from the server. Your army is kept.
offline-next = Next try in { $seconds } s.
offline-trying = Trying …
try-now = Try now
warming = Getting the rules ready
warming-playing = Only once on this computer. The first move comes in a moment.
warming-deploying = Only once on this computer. Place your army meanwhile.
battle-attacker = { $attacker } takes { $defender }
battle-defender = { $attacker } falls to { $defender }
battle-both = { $attacker } and { $defender } both fall
battle-equal = Two of a rank: { $attacker } and { $defender } both fall
battle-flag = { $attacker } takes the flag
battle-bomb-cleared = { $attacker } clears a bomb
battle-bomb-stands = { $attacker } falls to a bomb
battle-bomb-burst = { $attacker } and a bomb go up together
note-on = Your note on { $square }
note-private = only you see it
note-as = Note: { $rank }, { $figure }
note-made = Noted: { $square } { $rank }.
note-gone = Note on { $square } taken off.
note-which = Note on { $square }: press a number, S, B or F. Delete takes it off.
note-known = The man on { $square } is known.
note-how = Press an enemy man to note what you think he is.
note-how-touch = Tap an enemy man, or hold him, to note what you think he is.
let-go = Let go.
picked = { $rank } on { $square } in hand. { $count ->
    [one] 1 square: { $squares }.
   *[other] { $count } squares: { $squares }.
}
reach-attack = attack { $square }
refused-geometry = Not there: this man cannot go from { $from } to { $to }.
refused-lake = Not there: { $to } is a lake. No man goes into a lake or over it.
refused-two_square = Not there: that would be time number { $times } in a row over the line between { $from } and { $to }.
refused-more_squares = Not there: a chase may not bring back a position it has been through.
refused-immobile = Bombs and flags never move.
refused-blocked = This man is shut in. He has no square to go to.
refused-empty = Nobody stands there.
refused-not_yours = That man is not yours.
refused-out_of_turn = Not yet: it is their move.
refused-waiting = One moment: your last move is on its way.
refused-game_over = This game is over.
refused-stale = The game has moved on. Look again.
refused-too_fast = Too fast. Wait a moment, then try again.
refused-offered_already = A draw is offered already.
refused-no_offer = There is no offer to answer any more.
refused-no_talk = There is nobody to talk to at this table.
refused-not_open = Words of your own need both sides’ consent.
refused-too_much_talk = A little slower, please.
refused-no_words = There are no words in this.
refused-no_ply = You have no move to take back yet.
refused-revealed = These moves have shown something, so they stand.
refused-no_takeback = Moves stand in this game.
refused-asked_already = You have asked once. You may ask again after your next move.
refused-no_ask = There is nothing to answer any more.
refused-too_late_to_abort = Too late to call it off: both sides have moved. You can resign.
refused-not_left = The other seat has not been empty for long enough.
refused-no_claim = Absence decides nothing in this game.
refused-law_not_ready = The rules are still being got ready.
refused-closed = This table was being put away. Nothing was played; try again.
refused-rescue = He cannot be brought back there.
refused-offline = No answer from the server. Nothing was played.
refused-other = That could not be done ({ $code }). Nothing has changed.
said-ply = { $side }: { $from } to { $to }.
said-attack = { $whose ->
    [mine] Your { $attacker } attacks their { $defender }.
    [theirs] { $attacker } attacks your { $defender }.
   *[neutral] { $attacker } attacks { $defender }.
}
said-rescue = { $rank } comes back on { $square }.
said-falls = The { $rank } falls.
said-both-fall = Both fall.
said-flag = The flag is taken.
square-own = { $square }, your { $rank }, { $figure }{ $moved ->
    [yes] , has moved
   *[no] {""}
}{ $known ->
    [yes] , known to { $foe }
   *[no] {""}
}
square-hidden = { $square }, { $side }, hidden{ $moved ->
    [yes] , has moved
   *[no] {""}
}{ $noted ->
    [yes] , your note: { $note }
   *[no] {""}
}{ $attack ->
    [yes] , you may attack
   *[no] {""}
}
square-known = { $square }, { $side } { $rank }, { $figure }{ $moved ->
    [yes] , has moved
   *[no] {""}
}{ $attack ->
    [yes] , you may attack
   *[no] {""}
}
square-empty = { $go ->
    [yes] { $square }, empty, you may go here
   *[no] { $square }, empty
}
square-lake = { $square }, lake
say-not-yours = No man of yours on { $square }.
say-reach = { $rank } on { $square }: { $squares }.
say-no-reach = { $rank } on { $square } has nowhere to go.
say-last-battle = Last battle:
say-left = { $foe } { $theirs } left, { $own } { $ours } left.
say-left-rank = { $rank }: { $foe } { $theirs } of { $all }, { $own } { $ours } of { $all }.
say-clocks = You { $mine }, they { $theirs }.
say-known = Known to them: { $men }.
say-none-known = They know none of your men.
hint-move = move,
hint-pick = pick or place
hint-note = note,
hint-keys = all keys

### The end
result = Result
result-wins = { $side } wins
result-draw = A draw
end-flag = { $mine ->
    [open] The { $rank } took the flag on { $square }, at ply { $ply }.
    [won] Your { $rank } took the flag on { $square }, at ply { $ply }.
   *[lost] Their { $rank } took your flag on { $square }, at ply { $ply }.
}
end-stuck = { $loser } has no man that can move, at ply { $ply }.
end-both_stuck = Neither side has a man that can move.
end-limit = The limit of moves was reached, at ply { $ply }.
end-resigned = { $mine ->
    [lost] You gave up, at ply { $ply }.
   *[won] { $loser } gave up, at ply { $ply }.
}
end-agreed = Both agreed, at ply { $ply }.
end-time = { $mine ->
    [lost] Your time ran out, at ply { $ply }.
   *[won] { $loser }’s time ran out, at ply { $ply }.
}
end-forfeit = { $loser } could not go on, at ply { $ply }.
end-abandoned = { $mine ->
    [draw] One side had left the table, and a draw was claimed, at ply { $ply }.
    [lost] You had left the table, at ply { $ply }.
   *[won] { $loser } had left the table, at ply { $ply }.
}
end-none = The game is over.
reason = { $reason ->
    [flag] flag taken
    [stuck] no move left
    [both_stuck] both stuck
    [limit] move limit
    [resigned] resigned
    [agreed] draw agreed
    [time] time
    [forfeit] forfeit
    [aborted] not counted
    [abandoned] seat left
   *[other] over
}
rematch = Rematch, sides swapped
rematch-short = Rematch
to-rematch = To the rematch
record = Record
seen-by = Seen by
both-open = Both open
timeline = Timeline
timeline-at = Ply { $ply } of { $all }. { $what }
timeline-start = Before the first move
timeline-legend = Lines: men left. ● Red or ◆ Blue won a battle. – Both fell.
replay = Replay
ply-of = Ply { $ply } of { $all }
replay-first = To the start
replay-back = Back one
replay-on = Forward one
replay-last = To the end
replay-play = Play
replay-pause = Pause
notes-score = Your notes: { $right } of { $all } right
note-wrong = { $square }: you said { $noted }, he was the { $was }.
spy-never-moved = { $side }’s spy never moved.
marshal-never-seen = You never met { $side }’s marshal.
show = Show
hide = Hide

### My games
no-games = No games yet
    .text = Finished and running games gather here.
game-deploying = place your army
game-your-turn = your move
game-their-turn = their move
turn-of = { $side } to move
ply-count = { $ply ->
    [one] 1 ply
   *[other] { $ply } plies
}
lost-game = No such game
    .text = This address leads to no game of this server.
lost-seat = Not your game
    .text = This browser has no seat in this game. A seat belongs to the browser that took it.
lost-banned = You may not play here any more
    .text = Whoever runs this server has banned you. Your account’s data are yours to take along or to delete.
way-home = To the first page

### Settings
motion = Motion
motion-full = Full
motion-brief = Brief
motion-none = None
revealed = Men once seen
turn-back = Turn them face down again after two seconds, as over the board
letters = Letter keys
letters-on = Letters on the board move and speak (N, P, L, W, T, K, M, a–j)
language = Language
language-auto = As the browser
keys = All keys
keys-note = Letters work only while the board has the focus.
keys-board = On the board
keys-deploy = Placing an army
keys-replay = In the replay
key-arrows = Arrows
key-enter = Enter
key-for-arrows = Arrows
    .does = move the focus
key-for-home = Home, End
    .does = ends of the row
key-for-page = Page up, Page down
    .does = ends of the file
key-for-enter = Enter, Space
    .does = pick, place
key-for-esc = Esc
    .does = let go, close
key-for-jump = a–j, 1–10
    .does = jump to a square
key-for-shift = Shift + arrow
    .does = in hand: next square he may go to
key-for-n = N
    .does = note on the enemy man, then 0–9 S B F, Delete
key-for-p = P
    .does = say where this man may go
key-for-l = L
    .does = say the last ply and battle
key-for-w = W
    .does = say the men left
key-for-t = T
    .does = say the clocks
key-for-k = K
    .does = say which of my men are known
key-for-m = M
    .does = sound on or off
key-for-all = ?
    .does = this list
key-for-digits = 1–9, 0, S, B, F
    .does = put that man here and step on
key-for-delete = Delete
    .does = take the man back
key-for-undo = Ctrl + Z
    .does = undo
key-for-step = ← →
    .does = one ply
key-for-battle = Shift + ← →
    .does = next battle
key-for-ends = Home, End
    .does = start, end
key-for-space = Space
    .does = play, pause

### Rules
rules-lead = Two armies of forty men stand face to face, their ranks turned away. Take the enemy flag, or leave the enemy without a man that can move.
rules-aim = The aim
    .text = Whoever takes the other side’s flag wins at once. A side that has no move left on its turn loses; if neither side can move, the game is a draw.
rules-move = Moving
    .text = Red begins unless you agreed otherwise; then the sides take turns, one man each. A man goes one square forward, back or sideways, never diagonally, never over another man, never into a lake. You must move. Bombs and flags stay where they were placed.
rules-scout = Scouts
    .text = A scout runs any distance along an empty straight line and may strike at its end. A run of two squares or more tells everybody that he is a scout.
rules-battle = Battle
    .text = Move onto an enemy man to attack him. Both ranks are shown. The weaker man falls and leaves the board; two men of one rank both fall. An attacker who wins steps onto the square; a defender who wins stays. A miner clears bombs; everybody else falls to them, and the bomb stays. The spy beats the marshal when the spy attacks; attacked, he falls to anyone.
rules-know = What you learn
    .text = You see which men have moved (so they are neither bomb nor flag), every rank that was shown in battle, and what has fallen. The marks on your own men say what the enemy has learnt about you: two chevrons for moved, an open eye for known.
rules-back = To and fro
    .text = No man may cross the line between the same two squares more than three times in a row. The count starts again when you move another man in between.
rules-chase = Chasing
    .text = You may not chase a man on and on: a move that threatens may not bring back a position this chase has been through already. Stepping straight back is allowed until the rule above stops it.
rules-end = Draws and giving up
    .text = You may offer a draw once a move; the offer lapses with the next move. You may give up at any time. When the game is over, both armies are opened.
rules-men = The men
rules-numbers = Newer boxes print 10 on the marshal, older ones 1. Choose the one you know in the settings; your opponent does not notice.
picture = Picture
man = Man
how-many = Men
tips = Where they stand well
tip-flag = Where flags live
    .text = Most stand on the back row, often with bombs round them. A second ring that guards nothing keeps the enemy guessing.
tip-bombs = Not all bombs at the flag
    .text = One or two in the front rows stop a rush and protect a lane. Bombs behind the lakes are rarely met.
tip-scouts = Keep some scouts
    .text = A few in front look before you leap; those kept for the end can run to an open flag.
tip-miners = Miners towards the back, not all of them
    .text = You need them late, when you know where the bombs are. One should be able to come out early.
tip-spy = The spy near a strong man
    .text = Put him beside or behind your general: whoever takes the general may be the marshal.
tip-marshal = The marshal does not hurry
    .text = Once seen, he is hunted by the spy. Show him when it is worth it.
tip-still = A man who has moved is no bomb
    .text = So leave some strong men still: they pass for bombs and are left alone.

# --- Looking on ---------------------------------------------------------------------------------------------------

watch-choice = Watchers
watch-choice-nobody = Nobody
watch-choice-public =
    By a link
    .says = Whoever has the link follows the game live and knows what both of you know. Both armies are shown at the end.
watch-choice-truth =
    Armies late
    .says = Live with what both of you know; once you both agree during the game, with both armies, but late.
watch-delay = How late both armies are shown
watch-delay-of = { $delay } plies late

watchers = { $count ->
    [0] Nobody looks on
    [one] 1 looks on
   *[other] { $count } look on
}
watch-title = Watchers
watch-text = Anybody with this link can look on at this game. They see what both of you know, and nothing more.
watch-link = Link for watchers
watch-share-text = Look on at our game of Flagfall
watch-never = At the end both armies are shown.
watch-ask =
    Show both armies { $delay } plies late?
    .says = If you both agree, watchers see every man, { $delay } plies late. Whoever has the link can see it, on any device: agree only if nobody will tell.
watch-agree = Agree
watch-withdraw = Withdraw
watch-agreed-none = Neither of you has agreed.
watch-agreed-mine = You have agreed; the other player has not.
watch-agreed-theirs = The other player would show the armies { $delay } plies late.
watch-agreed-both = You have both agreed: the armies are shown { $delay } plies from then.
watch-agreed-shown = Watchers see both armies, { $delay } plies late.
watch-stays-late = Watchers have seen the armies, so what they see stays { $delay } plies late, without ranks that are not known to both of you.

watch-heading = Looking on
watch-shown = What you see
watch-comes = Getting the game …
watch-lost = Nothing to see here
showing-placing =
    Placing the armies
    .says = The game begins when both armies stand.
showing-public =
    Live
    .says = You know what both players know of each other.
showing-waiting =
    Waiting to see the armies
    .says = Both players will show their armies { $delay } plies late. The board rests until then.
showing-truth =
    Both armies, { $delay } plies late
    .says = The game is { $delay } plies further on.
showing-late =
    { $delay } plies late
    .says = The armies are covered again. The game is { $delay } plies further on.
showing-open =
    The game is over
    .says = Both armies are open.
watch-turn = to move
watch-waits = waiting
watch-ready = ready
watch-sets-up = placing the army
watch-placing-both = Both players are placing their armies.
watch-offer = { $side } offers a draw
watch-turn-board = Turn the board round
watch-house = the house plays at level { $number }

trouble-no_watch_link = This link leads to no game. It may have been taken back.
trouble-not_watched = Nobody may look on at this game.
trouble-too_many_watchers = As many people look on already as this game has room for. Try again later.
trouble-too_many_tabs = This game is open in too many windows of this browser. Close some of them.
trouble-own_game = You sit at this table yourself.
trouble-never_shown = At this table the armies are shown at the end alone.

game-address = Copy link
verify = Verify
verify-title = Was anything changed?
verify-works = Reckoning …
verify-whole = { $how ->
    [holds] The record is whole
   *[fails] The record was changed
}
    .says = { $how ->
    [holds] Its checksum fits every deployment, ply and time in it.
   *[fails] Its checksum does not fit what stands in it.
}
verify-armies = { $how ->
    [holds] The armies fit their digests
   *[fails] An army does not fit its digest
}
    .says = { $how ->
    [holds] Each army is the one of which the digest in this record was made.
   *[fails] An army in this record is not the one of which the digest was made.
}
verify-heard = { $how ->
    [holds] { $ply ->
        [0] Nobody swapped men
       *[other] Nobody swapped men since ply { $ply }
    }
    [fails] These are not the digests that this browser heard
   *[unknown] This browser was not there
}
    .says = { $how ->
    [holds] This browser heard the same digests { $ply ->
        [0] before the first ply
       *[other] after ply { $ply }
    }: since then neither army was changed.
    [fails] An army or its digest was changed during the game. Do not trust this record.
   *[unknown] It did not hear the digests during the game, so it cannot tell when they were made. Ask a player or a watcher to verify.
}
verify-more = That every ply was legal, and that the game ended as it says, is shown by the program with the saved record:
verify-digests = The digests
verify-checksum = Checksum
