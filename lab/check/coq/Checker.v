(* A computation with integers that bounds the distances of a table's law from the discrete Gaussian, and its proof. *)
From Coq Require Import Reals ZArith List Lia Lra Bool.
From Coquelicot Require Import Coquelicot.
From Samplez Require Import Gaussian.
Import ListNotations.
Local Open Scope R_scope.

(* Numbers are integers in units of 1/one. *)
Definition places : Z := 384.
Definition one : Z := (2 ^ places)%Z.

Definition mul_lo (a b : Z) : Z := Z.shiftr (a * b) places.
Definition mul_hi (a b : Z) : Z := (Z.shiftr (a * b) places + 1)%Z.

Fixpoint power_pos (mul : Z -> Z -> Z) (b : Z) (n : positive) : Z :=
  match n with
  | xH => b
  | xO p => let r := power_pos mul b p in mul r r
  | xI p => let r := power_pos mul b p in mul (mul r r) b
  end.
Definition power (mul : Z -> Z -> Z) (b n : Z) : Z :=
  match n with Z0 => one | Zpos p => power_pos mul b p | Zneg _ => 0%Z end.

Definition sumI {A : Type} (f : A -> Z) (l : list A) : Z := fold_right (fun x s => (f x + s)%Z) 0%Z l.

Lemma one_pos : 0 < IZR one.
Proof. apply IZR_lt. reflexivity. Qed.
Local Opaque one.

Lemma sumI_IZR {A} (f : A -> Z) l : IZR (sumI f l) = sumL (fun x => IZR (f x)) l.
Proof. induction l as [|x l IH]; simpl; [reflexivity | now rewrite plus_IZR, IH]. Qed.

Lemma sumI_map {A B} (f : B -> Z) (g : A -> B) l : sumI f (map g l) = sumI (fun x => f (g x)) l.
Proof. induction l as [|x l IH]; simpl; [reflexivity | now rewrite IH]. Qed.

Lemma shiftr_bounds z : IZR (Z.shiftr z places) * IZR one <= IZR z <= (IZR (Z.shiftr z places) + 1) * IZR one.
Proof.
  rewrite Z.shiftr_div_pow2 by discriminate. change (2 ^ places)%Z with one.
  assert (p : (0 < one)%Z) by reflexivity. generalize (Z.mul_div_le z one p), (Z.mul_succ_div_gt z one p). intros L H.
  rewrite <- !mult_IZR, <- plus_IZR, <- mult_IZR. split; apply IZR_le; lia.
Qed.

Lemma mul_lo_sound a b x y : 0 <= IZR a <= x * IZR one -> 0 <= IZR b <= y * IZR one ->
  0 <= IZR (mul_lo a b) <= x * y * IZR one.
Proof.
  intros A B. assert (o := one_pos). split.
  - apply IZR_le, Z.shiftr_nonneg, Z.mul_nonneg_nonneg; apply le_IZR; tauto.
  - apply Rmult_le_reg_r with (1 := o). destruct (shiftr_bounds (a * b)) as [L _]. fold (mul_lo a b) in L.
    rewrite mult_IZR in L. apply Rle_trans with (1 := L).
    replace (x * y * IZR one * IZR one) with ((x * IZR one) * (y * IZR one)) by ring.
    apply Rmult_le_compat; tauto.
Qed.

Lemma mul_hi_sound a b x y : 0 <= x * IZR one <= IZR a -> 0 <= y * IZR one <= IZR b ->
  0 <= x * y * IZR one <= IZR (mul_hi a b).
Proof.
  intros A B. assert (o := one_pos).
  assert (X : 0 <= x) by (apply Rmult_le_reg_r with (1 := o); lra).
  assert (Y : 0 <= y) by (apply Rmult_le_reg_r with (1 := o); lra). split.
  - apply Rmult_le_pos; [now apply Rmult_le_pos | lra].
  - apply Rmult_le_reg_r with (1 := o). destruct (shiftr_bounds (a * b)) as [_ H].
    unfold mul_hi. rewrite plus_IZR. rewrite mult_IZR in H. apply Rle_trans with (2 := H).
    replace (x * y * IZR one * IZR one) with ((x * IZR one) * (y * IZR one)) by ring.
    apply Rmult_le_compat; tauto.
Qed.

Section Power.
  Variables (mul : Z -> Z -> Z) (R0 : Z -> R -> Prop).
  Hypothesis sound : forall a b x y, R0 a x -> R0 b y -> R0 (mul a b) (x * y).

  Lemma power_pos_sound b x p : R0 b x -> R0 (power_pos mul b p) (x ^ Pos.to_nat p).
  Proof.
    intros H. induction p as [p IH | p IH |]; simpl power_pos.
    - rewrite Pos2Nat.inj_xI. replace (x ^ S (2 * Pos.to_nat p)) with (x ^ Pos.to_nat p * x ^ Pos.to_nat p * x)
        by (simpl; rewrite Nat.add_0_r, pow_add; ring).
      auto.
    - rewrite Pos2Nat.inj_xO. replace (x ^ (2 * Pos.to_nat p)) with (x ^ Pos.to_nat p * x ^ Pos.to_nat p)
        by (simpl; rewrite Nat.add_0_r, pow_add; ring).
      auto.
    - simpl. now rewrite Rmult_1_r.
  Qed.

  Lemma power_sound b x n : R0 one 1 -> R0 b x -> (0 <= n)%Z -> R0 (power mul b n) (x ^ Z.to_nat n).
  Proof. intros I H L. destruct n as [|p|p]; simpl; [exact I | now apply power_pos_sound | lia]. Qed.
End Power.

Lemma power_lo b x n : 0 <= IZR b <= x * IZR one -> (0 <= n)%Z -> 0 <= IZR (power mul_lo b n) <= x ^ Z.to_nat n * IZR one.
Proof.
  intros H L. apply (power_sound mul_lo (fun a x => 0 <= IZR a <= x * IZR one)); auto using mul_lo_sound.
  generalize one_pos. lra.
Qed.

Lemma power_hi b x n : 0 <= x * IZR one <= IZR b -> (0 <= n)%Z -> 0 <= x ^ Z.to_nat n * IZR one <= IZR (power mul_hi b n).
Proof.
  intros H L. apply (power_sound mul_hi (fun a x => 0 <= x * IZR one <= IZR a)); auto using mul_hi_sound.
  generalize one_pos. lra.
Qed.

(* 2^(h/100) from below, as u/2^s. *)
Definition root_exponent (h : Z) : Z := (20 - h / 100)%Z.
Definition root_limit (h : Z) : Z := (2 ^ (100 * root_exponent h + h))%Z.
Fixpoint root_search (limit : Z) (n : nat) (u : Z) : Z :=
  match n with
  | O => u
  | S n => let v := (u + 2 ^ Z.of_nat n)%Z in root_search limit n (if (v ^ 100 <=? limit)%Z then v else u)
  end.
Definition root (h : Z) : Z := root_search (root_limit h) 21 0.
Definition unit_of (h : Z) : Z := (2 ^ root_exponent h)%Z.
Definition root_ok (h : Z) : bool :=
  ((0 <=? root_exponent h) && (0 <=? 100 * root_exponent h + h) && (0 <? root h) && (root h ^ 100 <=? root_limit h))%Z.

Lemma Rpower_IZR n : (0 <= n)%Z -> IZR (2 ^ n) = Rpower 2 (IZR n).
Proof.
  intros H. rewrite <- (Z2Nat.id n H), <- pow_IZR, <- INR_IZR_INZ, Rpower_pow by lra. reflexivity.
Qed.

Lemma root_sound h : root_ok h = true -> 0 < IZR (root h) <= hundredths h * IZR (unit_of h).
Proof.
  unfold root_ok. rewrite !andb_true_iff, !Z.leb_le, Z.ltb_lt. intros [[[S L] U] P].
  apply IZR_lt in U. split; [exact U|].
  unfold hundredths, unit_of. rewrite (Rpower_IZR _ S), <- Rpower_plus.
  apply IZR_le in P. unfold root_limit in P. rewrite (Rpower_IZR _ L), plus_IZR, mult_IZR in P.
  change 100%Z with (Z.of_nat 100) in P at 1. rewrite <- pow_IZR, <- Rpower_pow in P by exact U.
  replace (IZR (root h)) with (Rpower (Rpower (IZR (root h)) (INR 100)) (/ 100)).
  - replace (IZR h / 100 + IZR (root_exponent h)) with ((100 * IZR (root_exponent h) + IZR h) * / 100) by field.
    rewrite <- (Rpower_mult 2). apply Rle_Rpower_l; [lra|]. split; [apply exp_pos | exact P].
  - rewrite Rpower_mult. replace (INR 100 * / 100) with 1; [now apply Rpower_1|].
    rewrite INR_IZR_INZ. simpl Z.of_nat. field.
Qed.

Lemma unit_pos h : root_ok h = true -> 0 < IZR (unit_of h).
Proof.
  unfold root_ok. rewrite !andb_true_iff, Z.leb_le. intros [[[S _] _] _].
  unfold unit_of. apply IZR_lt, Z.pow_pos_nonneg; lia.
Qed.

(* A row of the table: the mass of x, and bounds of rho x. *)
Record row := { mass : Z; low : Z; high : Z }.

Section Table.
  (* sigma = num/den; the masses of the integers from -n to n in units of 1/total, others have none. *)
  Variables (num den : Z) (n : nat) (masses : Z -> Z) (total : Z).
  (* Bounds of exp(-den^2/(2 num^2)). *)
  Variables (base_lo base_hi : Z).

  Definition sigma : R := IZR num / IZR den.
  Definition law (x : Z) : R := IZR (masses x) / IZR total.
  Definition lo (x : Z) : Z := power mul_lo base_lo (x * x).
  Definition hi (x : Z) : Z := power mul_hi base_hi (x * x).
  Definition rows : list row := map (fun x => {| mass := masses x; low := lo x; high := hi x |}) (window n).
  Definition rest : Z := (4 * hi (Z.of_nat (S n)))%Z.

  (* The conditions, of a table's rows l with the bound t of the sum of rho beyond them. *)
  Definition sum_lo (l : list row) : Z := sumI low l.
  Definition sum_hi (l : list row) (t : Z) : Z := (sumI high l + t)%Z.
  Definition shape_ok (l : list row) : bool :=
    ((0 <? num) && (0 <? den) && (2 * num ^ 2 <=? (2 * Z.of_nat n + 1) * den ^ 2) && (0 <? total)
      && (sumI mass l =? total) && (0 <=? base_lo) && forallb (fun r => (0 <=? mass r) && (0 <? low r)) l)%Z.
  Definition distance_ok (l : list row) (t h : Z) : bool :=
    let (s, b) := (sum_lo l, sum_hi l t) in
    ((sumI (fun r => Z.max (mass r * b - total * low r) (total * high r - mass r * s)) l + total * t) * unit_of h
      <=? 2 * total * s * root h)%Z.
  Definition outside_ok (l : list row) (t h : Z) : bool :=
    ((sumI (fun r => if mass r =? 0 then high r else 0) l + t) * unit_of h <=? sum_lo l * root h)%Z.
  Definition largest_ok (l : list row) (t h : Z) : bool :=
    let b := sum_hi l t in
    let s := unit_of h in
    let u := (s + root h)%Z in
    forallb (fun r => mass r * b * s <=? u * (total * low r))%Z l.
  Definition ratio (b : Z) (r : row) : Z := (mass r * b * one / (total * low r) + 1)%Z.
  Definition moment_ok (k : Z) (l : list row) (t h : Z) : bool :=
    let b := sum_hi l t in
    (sumI (fun r => if mass r =? 0 then 0 else mass r * power mul_hi (ratio b r) k) l * unit_of h
      <=? total * one * (unit_of h + k * root h))%Z.

  Hypothesis base : IZR base_lo <= exp (- (IZR den ^ 2 / (2 * IZR num ^ 2))) * IZR one <= IZR base_hi.
  Hypothesis none : forall x, (Z.of_nat n < Z.abs x)%Z -> masses x = 0%Z.
  Hypothesis shape : shape_ok rows = true.

  Lemma shape_facts :
    (0 < num)%Z /\ (0 < den)%Z /\ (2 * num ^ 2 <= (2 * Z.of_nat n + 1) * den ^ 2)%Z /\ (0 < total)%Z
    /\ sumI mass rows = total /\ (0 <= base_lo)%Z
    /\ forall x, In x (window n) -> (0 <= masses x)%Z /\ (0 < lo x)%Z.
  Proof.
    assert (S := shape). unfold shape_ok in S.
    rewrite !andb_true_iff, !Z.leb_le, !Z.ltb_lt, Z.eqb_eq, forallb_forall in S.
    destruct S as [[[[[[A B] C] D] E] F] G]. repeat (split; [assumption|]).
    intros x i. specialize (G _ (in_map _ _ _ i)). simpl in G. now rewrite andb_true_iff, Z.leb_le, Z.ltb_lt in G.
  Qed.

  Lemma sigma_pos : 0 < sigma.
  Proof. destruct shape_facts as (A & B & _). apply Rdiv_lt_0_compat; now apply IZR_lt. Qed.

  Lemma sigma_far : 2 * sigma ^ 2 <= 2 * INR n + 1.
  Proof.
    destruct shape_facts as (A & B & C & _). apply IZR_lt in A, B. apply IZR_le in C.
    rewrite !mult_IZR, plus_IZR, mult_IZR, <- INR_IZR_INZ in C. change 2%Z with (Z.of_nat 2) in C.
    rewrite <- !pow_IZR in C. simpl (IZR (Z.of_nat 2)) in C.
    apply Rmult_le_reg_r with (IZR den ^ 2); [now apply pow_lt|].
    apply Rle_trans with (2 := C). right. unfold sigma. field. lra.
  Qed.

  Lemma exp_multiple t k : exp (t * INR k) = exp t ^ k.
  Proof.
    induction k as [|k IH]; [simpl; now rewrite Rmult_0_r, exp_0|].
    rewrite S_INR, Rmult_plus_distr_l, Rmult_1_r, exp_plus, IH. simpl. ring.
  Qed.

  Lemma rho_power x : rho sigma x = exp (- (IZR den ^ 2 / (2 * IZR num ^ 2))) ^ Z.to_nat (x * x).
  Proof.
    destruct shape_facts as (A & B & _). apply IZR_lt in A, B.
    rewrite <- exp_multiple, INR_IZR_INZ, Z2Nat.id, mult_IZR by nia. unfold rho, sigma. f_equal. field. lra.
  Qed.

  Lemma lo_sound x : IZR (lo x) <= rho sigma x * IZR one.
  Proof.
    destruct shape_facts as (_ & _ & _ & _ & _ & F & _). rewrite rho_power. apply power_lo; [|nia].
    split; [now apply IZR_le | apply base].
  Qed.

  Lemma hi_sound x : rho sigma x * IZR one <= IZR (hi x).
  Proof.
    rewrite rho_power. apply power_hi; [|nia]. split; [|apply base].
    apply Rmult_le_pos; [apply Rlt_le, exp_pos | apply Rlt_le, one_pos].
  Qed.

  Let N := sumZ (rho sigma).
  Let o := IZR one.

  Lemma rest_sound : 0 <= beyond (rho sigma) n * o <= IZR rest.
  Proof.
    destruct (rho_beyond sigma n sigma_pos sigma_far) as [L H]. assert (p := one_pos). split.
    - apply Rmult_le_pos; [exact L | now apply Rlt_le].
    - unfold rest. rewrite mult_IZR. apply Rle_trans with (4 * rho sigma (Z.of_nat (S n)) * o).
      + apply Rmult_le_compat_r; [now apply Rlt_le | exact H].
      + rewrite Rmult_assoc. apply Rmult_le_compat_l; [lra | apply hi_sound].
  Qed.

  Lemma sum_bounds : IZR (sum_lo rows) <= N * o <= IZR (sum_hi rows rest).
  Proof.
    unfold N. rewrite (sumZ_window _ n (rho_summable sigma n sigma_pos sigma_far)).
    unfold sum_lo, sum_hi, rows. rewrite plus_IZR, !sumI_IZR, !sumL_map, Rmult_plus_distr_r.
    rewrite (Rmult_comm (sumL _ _) o), <- sumL_scal. cbn [low high]. assert (T := rest_sound).
    assert (sumL (fun x => IZR (lo x)) (window n) <= sumL (fun x => o * rho sigma x) (window n))
      by (apply sumL_le; intros; rewrite Rmult_comm; apply lo_sound).
    assert (sumL (fun x => o * rho sigma x) (window n) <= sumL (fun x => IZR (hi x)) (window n))
      by (apply sumL_le; intros; rewrite Rmult_comm; apply hi_sound).
    lra.
  Qed.

  Lemma N_pos : 0 < N.
  Proof.
    apply Rmult_lt_reg_r with (1 := one_pos). rewrite Rmult_0_l. destruct sum_bounds as [L _].
    apply Rlt_le_trans with (2 := L). unfold sum_lo, rows. rewrite sumI_IZR, sumL_map. simpl.
    destruct shape_facts as (_ & _ & _ & _ & _ & _ & G).
    assert (P : forall l, (forall x, In x l -> (0 < lo x)%Z) -> 0 <= sumL (fun x => IZR (lo x)) l).
    { induction l as [|x l IH]; simpl; intros H; [lra|].
      assert (0 < IZR (lo x)) by (apply IZR_lt, H; now left). assert (0 <= sumL (fun x => IZR (lo x)) l) by auto. lra. }
    assert (0 < IZR (lo 0)) by (apply IZR_lt, (G 0%Z), in_window; lia).
    unfold window in *. simpl in *. 
    assert (0 <= sumL (fun x => IZR (lo x)) (map Z.of_nat (seq 1 n) ++ map (fun k => Z.neg (Pos.of_succ_nat k)) (seq 0 n))).
    { apply P. intros x i. apply (G x). now right. }
    lra.
  Qed.

  Lemma total_pos : 0 < IZR total.
  Proof. apply IZR_lt. apply shape_facts. Qed.

  Lemma mass_pos x : 0 <= IZR (masses x).
  Proof.
    apply IZR_le. destruct (Z_le_gt_dec (Z.abs x) (Z.of_nat n)) as [H|H].
    - apply shape_facts. now apply in_window.
    - rewrite none; lia.
  Qed.

  Lemma law_none x : (Z.of_nat n < Z.abs x)%Z -> law x = 0.
  Proof. intros H. unfold law. rewrite none by exact H. unfold Rdiv. ring. Qed.

  Let P := gauss sigma.

  Lemma gauss_scal x : P x = / N * rho sigma x.
  Proof. unfold P, gauss, Rdiv. fold N. ring. Qed.

  Lemma gauss_pos x : 0 < P x.
  Proof. rewrite gauss_scal. apply Rmult_lt_0_compat; [apply Rinv_0_lt_compat, N_pos | apply exp_pos]. Qed.

  Lemma gauss_summable : summable P.
  Proof.
    apply summable_beyond with (fun x => / N * rho sigma x) n; [|intros; apply gauss_scal].
    apply summable_scal, rho_summable with n; [apply sigma_pos | apply sigma_far].
  Qed.

  (* Both are laws. *)
  Lemma gauss_sum : sumZ P = 1.
  Proof.
    rewrite (sumZ_window P n gauss_summable), (beyond_ext P (fun x => / N * rho sigma x) n) by (intros; apply gauss_scal).
    rewrite (sumL_ext P (fun x => / N * rho sigma x)) by (intros; apply gauss_scal).
    rewrite sumL_scal, beyond_scal, <- Rmult_plus_distr_l, <- sumZ_window
      by (apply rho_summable with n; [apply sigma_pos | apply sigma_far]).
    fold N. apply Rinv_l. generalize N_pos. lra.
  Qed.

  (* What is 0 beyond the window. *)
  Lemma finite_sum f : (forall x, (Z.of_nat n < Z.abs x)%Z -> f x = 0) -> sumZ f = sumL f (window n).
  Proof.
    intros H. assert (E : forall x, (Z.of_nat n < Z.abs x)%Z -> f x = 0 * rho sigma x)
      by (intros x i; rewrite (H x i); ring).
    rewrite (sumZ_window f n).
    - rewrite (beyond_ext f _ n E), beyond_scal. ring.
    - apply summable_beyond with (fun x => 0 * rho sigma x) n; [|exact E].
      apply summable_scal, rho_summable with n; [apply sigma_pos | apply sigma_far].
  Qed.

  Lemma law_sum : sumZ law = 1.
  Proof.
    rewrite finite_sum by apply law_none. assert (T := total_pos).
    rewrite (sumL_ext law (fun x => / IZR total * IZR (masses x))) by (intros; unfold law, Rdiv; ring).
    destruct shape_facts as (_ & _ & _ & _ & E & _). unfold rows in E. rewrite sumI_map in E. cbn [mass] in E.
    rewrite sumL_scal. replace (sumL _ _) with (IZR total) by (rewrite <- E; apply sumI_IZR). apply Rinv_l. lra.
  Qed.

  (* What is P beyond the window: N·o times its sum. *)
  Lemma scaled_sum f c g :
    0 <= c -> (forall x, (Z.of_nat n < Z.abs x)%Z -> f x = P x) ->
    (forall x, In x (window n) -> f x * (N * o) * c <= IZR (g {| mass := masses x; low := lo x; high := hi x |})) ->
    sumZ f * (N * o) * c <= IZR (sumI g rows) + c * IZR rest.
  Proof.
    intros C B W. rewrite (sumZ_window f n) by (apply summable_beyond with P n; [apply gauss_summable | exact B]).
    rewrite (beyond_ext f (fun x => / N * rho sigma x) n) by (intros x i; now rewrite B, gauss_scal).
    rewrite beyond_scal. unfold rows. rewrite sumI_map, sumI_IZR.
    assert (p := N_pos). assert (T := rest_sound).
    replace ((sumL f (window n) + / N * beyond (rho sigma) n) * (N * o) * c)
      with (N * o * c * sumL f (window n) + c * (beyond (rho sigma) n * o)) by (field; lra).
    rewrite <- sumL_scal. apply Rplus_le_compat.
    - apply sumL_le. intros x i. rewrite <- (Rmult_comm (f x)), <- !Rmult_assoc. specialize (W x i).
      rewrite <- !Rmult_assoc in W. exact W.
    - apply Rmult_le_compat_l; tauto.
  Qed.

  Lemma cancel x s u h : 0 < s -> root_ok h = true -> x * s * IZR (unit_of h) <= s * IZR (root h) -> u = hundredths h -> x <= u.
  Proof.
    intros S R H ->. assert (U := unit_pos h R). destruct (root_sound h R) as [_ B].
    apply Rmult_le_reg_r with (1 := U). apply Rmult_le_reg_l with (1 := S).
    apply Rle_trans with (s * IZR (root h)); [|now apply Rmult_le_compat_l; [apply Rlt_le|]].
    rewrite <- Rmult_assoc, (Rmult_comm s). exact H.
  Qed.

  Lemma No_pos : 0 < N * o.
  Proof. apply Rmult_lt_0_compat; [apply N_pos | apply one_pos]. Qed.

  Theorem distance_bound h : root_ok h = true -> distance_ok rows rest h = true -> distance law P <= hundredths h.
  Proof.
    intros R H. unfold distance_ok in H. rewrite Z.leb_le in H. apply IZR_le in H.
    assert (T := total_pos). assert (p := No_pos). assert (B := sum_bounds). assert (U := unit_pos h R).
    destruct (root_sound h R) as [u _].
    set (g := fun r => Z.max (mass r * sum_hi rows rest - total * low r) (total * high r - mass r * sum_lo rows)) in H.
    assert (S : sumZ (fun x => Rabs (law x - P x)) * (N * o) * IZR total <= IZR (sumI g rows) + IZR total * IZR rest).
    { apply scaled_sum; [lra | |].
      - intros x i. rewrite law_none, Rminus_0_l, Rabs_Ropp by exact i. apply Rabs_pos_eq, Rlt_le, gauss_pos.
      - intros x i. rewrite Rmult_assoc, <- (Rabs_pos_eq (N * o * IZR total)) by (apply Rlt_le, Rmult_lt_0_compat; assumption).
        rewrite <- Rabs_mult, gauss_scal.
        replace ((law x - / N * rho sigma x) * (N * o * IZR total))
          with (IZR (masses x) * (N * o) - IZR total * (rho sigma x * o))
          by (unfold law; field; split; [generalize N_pos; lra | lra]).
        unfold g. simpl. assert (m := mass_pos x). assert (L := lo_sound x). assert (G := hi_sound x). fold o in L, G.
        apply Rabs_le. split.
        + apply Ropp_le_cancel. rewrite Ropp_involutive.
          apply Rle_trans with (IZR (total * hi x - masses x * sum_lo rows)); [|apply IZR_le, Z.le_max_r].
          rewrite minus_IZR, !mult_IZR.
          assert (IZR total * (rho sigma x * o) <= IZR total * IZR (hi x)) by (apply Rmult_le_compat_l; lra).
          assert (IZR (masses x) * IZR (sum_lo rows) <= IZR (masses x) * (N * o)) by (apply Rmult_le_compat_l; lra).
          lra.
        + apply Rle_trans with (IZR (masses x * sum_hi rows rest - total * lo x)); [|apply IZR_le, Z.le_max_l].
          rewrite minus_IZR, !mult_IZR.
          assert (IZR total * IZR (lo x) <= IZR total * (rho sigma x * o)) by (apply Rmult_le_compat_l; lra).
          assert (IZR (masses x) * (N * o) <= IZR (masses x) * IZR (sum_hi rows rest)) by (apply Rmult_le_compat_l; lra).
          lra. }
    rewrite !mult_IZR, plus_IZR, !mult_IZR in H.
    apply (cancel _ (2 * IZR total * (N * o)) _ h); [apply Rmult_lt_0_compat; [lra | exact p] | exact R | | reflexivity].
    unfold distance. set (d := sumZ _) in *.
    replace (/ 2 * d * (2 * IZR total * (N * o)) * IZR (unit_of h)) with (d * (N * o) * IZR total * IZR (unit_of h)) by field.
    apply Rle_trans with ((IZR (sumI g rows) + IZR total * IZR rest) * IZR (unit_of h)); [apply Rmult_le_compat_r; lra|].
    apply Rle_trans with (1 := H). apply Rmult_le_compat_r; [lra|]. apply Rmult_le_compat_l; lra.
  Qed.

  Theorem outside_bound h : root_ok h = true -> outside_ok rows rest h = true -> outside law P <= hundredths h.
  Proof.
    intros R H. unfold outside_ok in H. rewrite Z.leb_le in H. apply IZR_le in H.
    assert (T := total_pos). assert (p := No_pos). assert (B := sum_bounds). assert (U := unit_pos h R).
    destruct (root_sound h R) as [u _].
    set (g := fun r => if (mass r =? 0)%Z then high r else 0%Z) in H.
    assert (S : outside law P * (N * o) * 1 <= IZR (sumI g rows) + 1 * IZR rest).
    { apply scaled_sum; [lra | |].
      - intros x i. destruct (Req_EM_T (law x) 0) as [_|E]; [reflexivity|]. now elim E; apply law_none.
      - intros x i. unfold g. simpl. assert (G := hi_sound x). fold o in G. rewrite Rmult_1_r.
        destruct (Req_EM_T (law x) 0) as [E|E].
        + replace (masses x =? 0)%Z with true.
          * rewrite gauss_scal. replace (/ N * rho sigma x * (N * o)) with (rho sigma x * o)
              by (field; generalize N_pos; lra). exact G.
          * symmetry. apply Z.eqb_eq. apply eq_IZR. unfold law in E.
            apply Rmult_eq_reg_r with (/ IZR total); [rewrite Rmult_0_l; exact E | apply Rinv_neq_0_compat; lra].
        + rewrite Rmult_0_l. destruct (masses x =? 0)%Z; [|lra].
          apply Rle_trans with (2 := G). apply Rmult_le_pos; [apply Rlt_le, exp_pos | apply Rlt_le, one_pos]. }
    rewrite !mult_IZR, plus_IZR in H.
    apply (cancel _ (N * o) _ h); [exact p | exact R | | reflexivity].
    apply Rle_trans with ((IZR (sumI g rows) + IZR rest) * IZR (unit_of h)); [apply Rmult_le_compat_r; lra|].
    apply Rle_trans with (1 := H). apply Rmult_le_compat_r; lra.
  Qed.

  (* Q/P of a value in the window, and its bound. *)
  Lemma quotient x : law x / P x * (rho sigma x * o * IZR total) = IZR (masses x) * (N * o).
  Proof.
    rewrite gauss_scal. unfold law. assert (T := total_pos). assert (p := N_pos).
    assert (e := rho_pos sigma x). field. lra.
  Qed.

  Lemma quotient_pos x : 0 <= law x / P x.
  Proof.
    apply Rmult_le_pos; [|apply Rlt_le, Rinv_0_lt_compat, gauss_pos].
    apply Rmult_le_pos; [apply mass_pos | apply Rlt_le, Rinv_0_lt_compat, total_pos].
  Qed.

  (* A bound v/w of Q/P from m·b·w <= v·total·lo. *)
  Lemma quotient_le x v w : In x (window n) -> 0 < w ->
    IZR (masses x) * IZR (sum_hi rows rest) * w <= v * (IZR total * IZR (lo x)) -> law x / P x * w <= v.
  Proof.
    intros i W H. assert (T := total_pos). assert (L := lo_sound x). fold o in L. assert (B := sum_bounds).
    assert (l : 0 < IZR (lo x)) by (apply IZR_lt; now apply shape_facts). assert (m := mass_pos x).
    apply Rmult_le_reg_r with (IZR total * IZR (lo x)); [now apply Rmult_lt_0_compat|].
    apply Rle_trans with (2 := H). assert (q := quotient_pos x).
    apply Rle_trans with (law x / P x * (rho sigma x * o * IZR total) * w).
    - replace (law x / P x * w * (IZR total * IZR (lo x))) with (law x / P x * (IZR (lo x) * IZR total) * w) by ring.
      apply Rmult_le_compat_r; [lra|]. apply Rmult_le_compat_l; [exact q|]. apply Rmult_le_compat_r; lra.
    - rewrite quotient. apply Rmult_le_compat_r; [lra|]. apply Rmult_le_compat_l; lra.
  Qed.

  Theorem largest_bound h : root_ok h = true -> largest_ok rows rest h = true ->
    forall x, law x / P x - 1 <= hundredths h.
  Proof.
    intros R H x. assert (U := unit_pos h R). destruct (root_sound h R) as [u V].
    destruct (Z_le_gt_dec (Z.abs x) (Z.of_nat n)) as [i|i].
    - apply in_window in i. unfold largest_ok in H. rewrite forallb_forall in H.
      specialize (H _ (in_map _ _ _ i)). simpl in H. rewrite Z.leb_le in H. apply IZR_le in H.
      rewrite !mult_IZR, plus_IZR in H. apply (quotient_le x _ _ i U) in H.
      apply Rmult_le_reg_r with (1 := U). lra.
    - rewrite law_none by lia. unfold Rdiv. rewrite Rmult_0_l. unfold hundredths.
      assert (0 < Rpower 2 (IZR h / 100)) by apply exp_pos. lra.
  Qed.

  Theorem renyi_bound k h : (1 <= k)%Z -> root_ok h = true -> moment_ok k rows rest h = true ->
    renyi (S (Z.to_nat k)) law P - 1 <= hundredths h.
  Proof.
    intros K R H. unfold moment_ok in H. rewrite Z.leb_le in H. apply IZR_le in H.
    assert (T := total_pos). assert (U := unit_pos h R). destruct (root_sound h R) as [u V]. assert (p := one_pos).
    set (g := fun r => (if (mass r =? 0)%Z then 0 else mass r * power mul_hi (ratio (sum_hi rows rest) r) k)%Z) in H.
    set (j := Z.to_nat k) in *.
    assert (M : moment (S j) law P * (IZR total * o) <= IZR (sumI g rows)).
    { unfold moment. rewrite finite_sum
        by (intros x i; rewrite (law_none x i), pow_i by lia; unfold Rdiv; ring).
      rewrite Rmult_comm, <- sumL_scal. unfold rows. rewrite sumI_map, sumI_IZR. apply sumL_le. intros x i.
      assert (q := quotient_pos x). assert (m := mass_pos x). assert (e := gauss_pos x).
      replace (S j - 1)%nat with j by lia.
      replace (IZR total * o * (law x ^ S j / P x ^ j)) with (IZR (masses x) * ((law x / P x) ^ j * o)).
      2: { assert (E : IZR total * law x = IZR (masses x)) by (unfold law; field; lra).
           rewrite <- E. unfold Rdiv. rewrite Rpow_mult_distr, pow_inv. simpl. ring. }
      unfold g. simpl. destruct (masses x =? 0)%Z eqn:z; [apply Z.eqb_eq in z; rewrite z; lra|].
      rewrite mult_IZR. apply Rmult_le_compat_l; [exact m|].
      apply power_hi; [|lia]. split; [apply Rmult_le_pos; [exact q | lra]|].
      apply quotient_le; [exact i | exact p |]. unfold ratio. simpl.
      assert (l : (0 < total * lo x)%Z) by (apply Z.mul_pos_pos; now apply shape_facts).
      generalize (Z.mul_succ_div_gt (masses x * sum_hi rows rest * one) _ l). intros D.
      rewrite <- !mult_IZR. apply IZR_le. lia. }
    rewrite !mult_IZR, plus_IZR, mult_IZR in H.
    assert (b : 0 < hundredths h) by apply exp_pos.
    assert (C : moment (S j) law P <= 1 + INR j * hundredths h).
    { apply Rmult_le_reg_r with (IZR total * o * IZR (unit_of h)); [apply Rmult_lt_0_compat; [apply Rmult_lt_0_compat; [exact T | exact p] | exact U]|].
      rewrite <- Rmult_assoc. apply Rle_trans with (IZR (sumI g rows) * IZR (unit_of h)).
      - apply Rmult_le_compat_r; lra.
      - apply Rle_trans with (1 := H). unfold j. rewrite INR_IZR_INZ, Z2Nat.id by lia.
        replace ((1 + IZR k * hundredths h) * (IZR total * o * IZR (unit_of h)))
          with (IZR total * IZR one * (IZR (unit_of h) + IZR k * (hundredths h * IZR (unit_of h)))) by (unfold o; ring).
        apply Rmult_le_compat_l; [apply Rmult_le_pos; lra|]. apply Rplus_le_compat_l, Rmult_le_compat_l; [|exact V].
        apply IZR_le. lia. }
    assert (J : 0 < INR j) by (apply lt_0_INR; unfold j; lia).
    assert (renyi (S j) law P <= 1 + hundredths h); [|lra].
    unfold renyi. replace (S j - 1)%nat with j by lia.
    destruct (Rlt_dec 0 (moment (S j) law P)) as [Y|Y].
    - apply Rle_trans with (Rpower ((1 + hundredths h) ^ j) (/ INR j)).
      + apply Rle_Rpower_l; [apply Rlt_le, Rinv_0_lt_compat, J|]. split; [exact Y|].
        apply Rle_trans with (1 := C). now apply poly.
      + right. rewrite <- Rpower_pow, Rpower_mult, Rinv_r, Rpower_1 by lra. reflexivity.
    - unfold Rpower, ln. destruct (Rlt_dec 0 (moment (S j) law P)); [contradiction|].
      rewrite Rmult_0_r, exp_0. lra.
  Qed.
End Table.

(* All conditions together: the figures are hundredths of base-2 logarithms. *)
Definition certified num den n masses total base_lo base_hi (sd r2 r256 r513 rinf tail : Z) : bool :=
  let l := rows n masses base_lo base_hi in
  let t := rest n base_hi in
  shape_ok num den n total base_lo l && forallb root_ok [sd; r2; r256; r513; rinf; tail]
    && distance_ok total l t sd && moment_ok total 1 l t r2 && moment_ok total 255 l t r256
    && moment_ok total 512 l t r513 && largest_ok total l t rinf && outside_ok l t tail.

(* What they mean, of a law Q and the discrete Gaussian P. *)
Definition within (Q P : Z -> R) (sd r2 r256 r513 rinf tail : Z) : Prop :=
  distance Q P <= hundredths sd
  /\ renyi 2 Q P - 1 <= hundredths r2
  /\ renyi 256 Q P - 1 <= hundredths r256
  /\ renyi 513 Q P - 1 <= hundredths r513
  /\ (forall x, Q x / P x - 1 <= hundredths rinf)
  /\ outside Q P <= hundredths tail
  /\ sumZ Q = 1 /\ sumZ P = 1.

Theorem certified_sound num den n masses total base_lo base_hi sd r2 r256 r513 rinf tail :
  IZR base_lo <= exp (- (IZR den ^ 2 / (2 * IZR num ^ 2))) * IZR one <= IZR base_hi ->
  (forall x, (Z.of_nat n < Z.abs x)%Z -> masses x = 0%Z) ->
  certified num den n masses total base_lo base_hi sd r2 r256 r513 rinf tail = true ->
  within (law masses total) (gauss (sigma num den)) sd r2 r256 r513 rinf tail.
Proof.
  intros B Z0 C. unfold certified in C. cbv zeta in C. simpl forallb in C.
  rewrite !andb_true_iff in C. destruct C as [[[[[[[S R] C1] C2] C3] C4] C5] C6].
  destruct R as (R1 & R2 & R3 & R4 & R5 & R6 & _).
  unfold within. repeat split.
  - eapply distance_bound; eassumption.
  - apply (renyi_bound num den n masses total base_lo base_hi B Z0 S 1 r2); easy.
  - apply (renyi_bound num den n masses total base_lo base_hi B Z0 S 255 r256); easy.
  - apply (renyi_bound num den n masses total base_lo base_hi B Z0 S 512 r513); easy.
  - eapply largest_bound; eassumption.
  - eapply outside_bound; eassumption.
  - eapply law_sum; eassumption.
  - eapply gauss_sum; eassumption.
Qed.
